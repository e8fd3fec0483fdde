import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { runRoutes } from '@signalbox/contracts/runs/routes'
import { sectionOf } from './log-entry.ts'
import type { AttemptOfLog } from './log-store.ts'

type Run = SuccessOf<typeof runRoutes.getRun>

export interface Which {
  readonly step?: string | undefined
  readonly task?: string | undefined
  readonly attempt?: number | undefined
}

const FAILED = new Set(['failure', 'timed_out', 'lost'])
const IN_HAND = new Set(['leased', 'running'])
/** A failure that does not count: the log opens at one that does. */
const IGNORED = 'failure (ignored)'

/** The attempts of a run whose lines are shown, in the order of the document. */
export function attemptsOf(run: Pick<Run, 'steps'>, { step, task, attempt }: Which): readonly AttemptOfLog[] {
  return run.steps
    .filter(({ name }) => step === undefined || name === step)
    .flatMap((of) =>
      of.tasks
        .filter(({ name }) => task === undefined || name === task)
        .flatMap(({ name, status, attempts }) =>
          attempts
            .filter((each) => attempt === undefined || each.attempt === attempt)
            .map((each) => ({
              step: of.name,
              task: name,
              attempt: each.attempt,
              status: status === IGNORED && FAILED.has(each.status) ? IGNORED : statusOf(each),
              hasBegun: each.leased_at !== null,
            })),
        ),
    )
}

/** It is leased as long as its runner has it, and runs from the word of the runner on. */
function statusOf({ status, started_at }: Run['steps'][number]['tasks'][number]['attempts'][number]): string {
  return status === 'leased' && started_at !== null ? 'running' : status
}

/** So many logs are open at once when nothing failed. */
const MOST_OPEN = 12

/** The first attempt that failed and was not tried again with success. */
export function firstFailure(attempts: readonly AttemptOfLog[]): AttemptOfLog | undefined {
  const last = new Map(attempts.map((each) => [`${each.step}/${each.task}`, each]))
  return last.values().find(({ status }) => FAILED.has(status))
}

/** The sections that begin open: the first failure alone, else all of few, else what runs now. */
export function opensAtFirst(attempts: readonly AttemptOfLog[]): ReadonlySet<string> {
  const failure = firstFailure(attempts)
  if (failure) return new Set([sectionOf(failure)])
  const begun = attempts.filter(({ hasBegun }) => hasBegun)
  if (begun.length <= MOST_OPEN) return new Set(attempts.map(sectionOf))
  return new Set([...begun.filter(({ status }) => IN_HAND.has(status)), ...begun.slice(-1)].map(sectionOf))
}
