import { type Static, Type } from 'typebox'
import { Finding, Nullable, OwnName, STRICT, Uuid } from '../http/index.ts'
import { RunStatus } from '../runs/run-status.ts'

/** What ended a task that failed by itself. */
export const FAILURE_CAUSES = [
  'exit_code',
  'signal',
  'out_of_memory',
  'killed',
  'task_timeout',
  'step_timeout',
  'run_timeout',
  'runner_lost',
  'image',
  'not_started',
  'policy',
  'condition',
  'approval_rejected',
  'approval_expired',
  'child_run',
  'unclear',
] as const
export type FailureCause = (typeof FAILURE_CAUSES)[number]

/** Query of GET /v1/explain/failure. */
export const FailureQuery = Type.Object({ run_id: Uuid }, STRICT)
export type FailureQuery = Static<typeof FailureQuery>

/** A line of a failed attempt. */
export const RelevantLine = Type.Object({
  number: Type.Integer({ description: 'From 0, within the attempt.' }),
  text: Type.String({ description: 'Without colours, at most 500 characters.' }),
  new: Type.Boolean({ description: 'No compared success had such a line.' }),
  error: Type.Boolean({ description: 'It looks like an error.' }),
})
export type RelevantLine = Static<typeof RelevantLine>

/** The lines of a failed attempt that tell why, in order. */
export const RelevantLines = Type.Object({
  how: Type.Enum(['new_lines', 'error_lines', 'tail', 'none'], {
    description:
      'new_lines: no recent success had them. error_lines: no success is known, they look like errors. tail: the last ones. none: the log has no lines.',
  }),
  compared_with: Type.Array(Type.Object({ run_id: Uuid, attempt_id: Uuid }), {
    maxItems: 3,
    description: 'Succeeded attempts of the same task.',
  }),
  searched_from: Type.Integer({ description: 'The first line that was looked at: a long log is read from its end.' }),
  searched_until: Type.Integer({ description: 'Behind the last line that was looked at.' }),
  cut: Type.Boolean({ description: 'The comparison was cut short by its limits of bytes or time.' }),
  left: Type.Integer({ description: 'Lines of this kind that are not shown.' }),
  lines: Type.Array(RelevantLine, { maxItems: 50 }),
})
export type RelevantLines = Static<typeof RelevantLines>

const Place = Type.Object({ run_id: Uuid, step: OwnName, task: OwnName })

/** A task, or a step as a whole, that failed by itself. */
export const FailureRoot = Type.Object({
  run_id: Uuid,
  through: Type.Array(Place, {
    maxItems: 6,
    description: 'The tasks that ran the run of this one, from the run that was asked for.',
  }),
  step: OwnName,
  task: Nullable(OwnName, { description: 'Null: the step as a whole.' }),
  attempt: Nullable(Type.Integer()),
  attempt_id: Nullable(Uuid),
  status: Type.Enum(['failure', 'failure (ignored)', 'timed_out', 'warning']),
  cause: Type.Enum([...FAILURE_CAUSES]),
  exit_code: Nullable(Type.Integer()),
  reason: Nullable(Type.String({ description: 'As it was reported.' })),
  child_run_id: Nullable(Uuid),
  findings: Type.Array(Finding, { maxItems: 10 }),
  what_to_do: Type.Array(Finding, { maxItems: 5 }),
  lines: Nullable(RelevantLines, { description: 'Null: it has no log, or the caller may not read it.' }),
})
export type FailureRoot = Static<typeof FailureRoot>

const Named = Type.Object({
  count: Type.Integer(),
  first: Type.Array(Type.Object({ step: OwnName, task: OwnName }), { maxItems: 10 }),
})

export const FailureExplanation = Type.Object({
  run_id: Uuid,
  status: RunStatus,
  reason: Nullable(Type.String({ description: 'As it was stored.' })),
  findings: Type.Array(Finding, { maxItems: 10, description: 'The most decisive first.' }),
  roots: Type.Array(FailureRoot, { maxItems: 5, description: 'What failed by itself, the first to fail first.' }),
  more_roots: Type.Integer({ description: 'Failed by themselves and not shown.' }),
  never_ran: Type.Object(Named.properties, { description: 'Tasks that never ran because something failed before.' }),
  canceled: Type.Object(Named.properties, { description: 'Tasks that were ended, or never ran, as the run ended.' }),
  left_out: Type.Array(Type.Enum(['log.read']), { description: 'Permissions that the answer lacked.' }),
})
export type FailureExplanation = Static<typeof FailureExplanation>
