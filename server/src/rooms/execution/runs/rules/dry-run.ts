import type { Finding } from '@signalbox/contracts/http'
import type { Graph, GraphTask } from '@signalbox/pipeline/graph'
import type { Reuse } from '@signalbox/pipeline/status'
import { counted, finding, runEvidence } from './finding.ts'

/** The part of a run's row that its effects tell of. */
export interface DryRow {
  readonly id: string
  readonly status: string
  readonly pipeline_identifier: string
  readonly pipeline_version: number
  readonly scope: string
  readonly withheld: string | null
  readonly repository: string | null
  readonly commit_sha: string | null
  readonly untrusted: boolean
  readonly rerun_of: string | null
  readonly cancel_requested_at: Date | null
}

/** A run that a write would end. */
export interface DryOther {
  readonly id: string
  readonly status: string
  readonly teamPath: string
  /** canceling: once its runners have said so. */
  readonly becomes: 'canceled' | 'canceling'
}

/** What a start, a rerun or a cancel would do. */
export interface DryRun {
  readonly action: 'start' | 'rerun' | 'cancel'
  /** As it would be then. */
  readonly run: DryRow
  /** Of cancel: as it is now. */
  readonly before: DryRow | undefined
  readonly graph: Graph | undefined
  readonly reuse: Reuse
  /** Those that the caller may see. */
  readonly others: readonly DryOther[]
  /** Whether there are more. How many is not told: the write itself tells that the group is taken, and no more. */
  readonly endsHidden: boolean
  readonly isProtected: boolean
  /** What policies and guardrails would say of its begin. */
  readonly violation: string | null
  readonly items: number
  readonly isUnderEmergency: boolean
  readonly noRunner: boolean
  /** Of cancel: attempts that runners have, runs of tasks, and steps that wait for people. */
  readonly inHand: number
  readonly children: readonly string[]
  readonly waitingApprovals: readonly string[]
}

/** The effects in sentences, the most important first. */
export function describeEffects(dry: DryRun): readonly Finding[] {
  return dry.action === 'cancel' ? describeCancel(dry) : describeNewRun(dry)
}

function describeNewRun(dry: DryRun): readonly Finding[] {
  const { run } = dry
  const pipeline = { kind: 'pipeline', id: run.pipeline_identifier } as const
  return [
    ...describeQueueing(dry),
    ...describeOthers(dry),
    finding(
      'dry_run.version',
      `The run would be of version ${run.pipeline_version} of ${run.pipeline_identifier}, in the scope ${run.scope}.`,
      [pipeline],
    ),
    ...(dry.isProtected
      ? [
          finding('dry_run.protected', 'The scope of the run, or that of a step, is protected or not known.', [
            pipeline,
          ]),
        ]
      : []),
    ...describeCode(dry),
    ...describeParts(dry),
    ...describeBegin(dry),
  ]
}

function describeQueueing({ run, action }: DryRun): readonly Finding[] {
  const pipeline = { kind: 'pipeline', id: run.pipeline_identifier } as const
  const what = action === 'rerun' ? 'A new run that repeats the old one' : 'A new run'
  if (run.status === 'canceled') {
    return [
      finding('dry_run.ends_at_once', `${what} would be stored and end at once as canceled, because of its group.`, [
        pipeline,
      ]),
    ]
  }
  switch (run.withheld) {
    case 'group':
      return [
        finding('dry_run.waits_for_group', `${what} would wait for its turn in its concurrency group.`, [pipeline]),
      ]
    case 'fork_approval':
      return [
        finding('dry_run.waits_for_fork', `${what} would wait until a member with run.approve approves its commit.`, [
          pipeline,
        ]),
      ]
    default:
      return [finding('dry_run.queued', `${what} would be queued at once.`, [pipeline])]
  }
}

const HIDDEN_END = 'It would end runs that you may not see.'

function describeOthers({ others, endsHidden }: DryRun): readonly Finding[] {
  if (others.length === 0 && !endsHidden) return []
  const seen = `It would end ${counted(others.length, 'other run')}.`
  const both = others.length === 0 ? HIDDEN_END : `${seen} ${HIDDEN_END}`
  const sentence = endsHidden ? both : seen
  return [
    finding(
      'dry_run.ends_others',
      sentence,
      others.map(({ id }) => runEvidence(id)),
    ),
  ]
}

function describeCode({ run, graph }: DryRun): readonly Finding[] {
  const pipeline = { kind: 'pipeline', id: run.pipeline_identifier } as const
  const secrets = run.untrusted
    ? [finding('dry_run.untrusted', 'Its code is not trusted, so the run would get no secrets.', [pipeline])]
    : []
  if (run.commit_sha !== null) {
    return [finding('dry_run.commit', 'Its tasks would work on the commit in commit_sha.', [pipeline]), ...secrets]
  }
  const isEmpty = graph !== undefined && run.repository === null
  return isEmpty
    ? [
        finding('dry_run.no_repository', 'The run would have no repository: tasks start in an empty folder.', [
          pipeline,
        ]),
        ...secrets,
      ]
    : secrets
}

export type TaskPart = 'runs' | 'starts_run' | 'asks_people'

export function partOf({ kind }: Pick<GraphTask, 'kind'>): TaskPart {
  switch (kind) {
    case 'run':
      return 'runs'
    case 'pipeline':
      return 'starts_run'
    case 'approval':
      return 'asks_people'
  }
}

function describeParts({ run, graph, reuse }: DryRun): readonly Finding[] {
  const steps = graph?.steps ?? []
  const isDone = (step: string, task: string): boolean => reuse.has(`${step}/${task}`)
  const open = steps.filter((step) => step.tasks.some((task) => !isDone(step.name, task.name)))
  const having = (part: TaskPart) =>
    open.filter((step) => step.tasks.some((task) => partOf(task) === part && !isDone(step.name, task.name)))
  const [people, children] = [having('asks_people'), having('starts_run')]
  const total = steps.reduce((sum, { tasks }) => sum + tasks.length, 0)
  const stepEvidence = (names: readonly { readonly name: string }[]) =>
    names.map(({ name }) => ({ kind: 'step', id: name }) as const)
  return [
    ...(reuse.size > 0 && run.rerun_of !== null
      ? [
          finding(
            'dry_run.taken_over',
            `The run would take over ${reuse.size} of ${counted(total, 'task')}, with their outputs, and do the others again.`,
            [runEvidence(run.rerun_of)],
          ),
        ]
      : []),
    ...(people.length > 0
      ? [
          finding(
            'dry_run.asks_people',
            `${counted(people.length, 'step')} would wait for the approval of people.`,
            stepEvidence(people),
          ),
        ]
      : []),
    ...(children.length > 0
      ? [
          finding(
            'dry_run.starts_pipelines',
            `${counted(children.length, 'step')} would start runs of other pipelines, which are judged when they start.`,
            stepEvidence(children),
          ),
        ]
      : []),
  ]
}

function describeBegin({ run, violation, items, isUnderEmergency, noRunner }: DryRun): readonly Finding[] {
  if (run.status !== 'queued') return []
  const pipeline = { kind: 'pipeline', id: run.pipeline_identifier } as const
  return [
    ...(isUnderEmergency
      ? [
          finding('dry_run.emergency', `An emergency holds in ${run.scope}: the run would wait until it is lifted.`, [
            pipeline,
          ]),
        ]
      : []),
    ...(violation === null
      ? []
      : [
          finding('dry_run.violates', 'As things are now, a policy or guardrail would end it when it begins.', [
            pipeline,
          ]),
        ]),
    ...(noRunner
      ? [finding('dry_run.no_runner', 'No runner can take it at this moment, so it would wait for one.', [pipeline])]
      : []),
    ...(items > 0 && violation === null
      ? [
          finding(
            'dry_run.knowledge',
            `${counted(items, 'item')} of knowledge would apply; steps and tasks are judged when they begin.`,
            [pipeline],
          ),
        ]
      : []),
  ]
}

function describeCancel({ run, before, inHand, children, waitingApprovals }: DryRun): readonly Finding[] {
  const of = [runEvidence(run.id)]
  if (before?.status === 'canceled')
    return [finding('dry_run.nothing', 'The run is canceled already: nothing would change.', of)]
  if (before?.status === 'queued') {
    return [finding('dry_run.cancels', 'The run would end at once as canceled: nothing of it has begun.', of)]
  }
  if (before?.cancel_requested_at) {
    return [finding('dry_run.nothing', 'The run is being canceled already: nothing would change.', of)]
  }
  return [
    finding(
      'dry_run.asks_to_end',
      inHand === 0
        ? 'The run would be asked to end: no runner has a task of it in hand.'
        : `The run would be asked to end, once runners have stopped ${counted(inHand, 'task')}.`,
      of,
    ),
    ...(children.length > 0
      ? [
          finding(
            'dry_run.ends_children',
            `${counted(children.length, 'run')} of its tasks would be canceled, too.`,
            children.map(runEvidence),
          ),
        ]
      : []),
    ...(waitingApprovals.length > 0
      ? [
          finding(
            'dry_run.withdraws_approvals',
            `${counted(waitingApprovals.length, 'step')} would no longer wait for people.`,
            waitingApprovals.map((id) => ({ kind: 'step', id, run_id: run.id })),
          ),
        ]
      : []),
  ]
}
