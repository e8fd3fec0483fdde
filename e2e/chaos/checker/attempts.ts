import type { Mark } from '../../house/marks.ts'
import { type History, nameOf, type StoredAttempt } from '../history.ts'
import type { Violation } from './violation.ts'

const OVER = ['success', 'failure', 'timed_out', 'canceled', 'lost']
/** From the start of a process to its first mark, and back to what a frozen runner does first once it goes on. */
const MARGIN_MS = 100
const AWAKENING_MS = 6000

/** I3. */
export function checkAttempts(history: History): Violation[] {
  return [...checkNumbers(history), ...checkResults(history), ...checkFences(history), ...checkOverlaps(history)]
}

/** Attempts of a task follow one another, with fences that rise; nothing follows a success. */
function checkNumbers({ stored }: History): Violation[] {
  const tasks = Map.groupBy(stored.attempts, ({ runId, step, task }) => `${runId}/${step}/${task}`)
  return [...tasks].flatMap(([task, some]) => {
    const attempts = some.toSorted((a, b) => a.attempt - b.attempt)
    const inOrder = attempts.every((one, at) => one.attempt === at + 1)
    const fences = attempts.flatMap(({ fence }) => fence ?? [])
    const rising = fences.every((fence, at) => at === 0 || fence > (fences[at - 1] ?? 0))
    const behindSuccess = attempts.slice(0, -1).find(({ status }) => status === 'success')
    const twoOpen = attempts.filter(({ status }) => !OVER.includes(status)).length > 1
    if (inOrder && rising && !behindSuccess && !twoOpen) return []
    const shown = attempts.map(({ attempt, fence, status }) => `${attempt} ${status} (fence ${fence})`).join(', ')
    return [{ invariant: 'I3', what: `attempts do not follow one another: ${shown}`, ids: [task] }]
  })
}

/** A result that was seen stays the same. */
function checkResults({ seen, stored }: History): Violation[] {
  const last = new Map(stored.attempts.map((attempt) => [nameOf(attempt), attempt.status]))
  const first = new Map<string, string>()
  return seen.flatMap((one): Violation[] => {
    if (one.kind !== 'attempt' || !OVER.includes(one.attempt.status)) return []
    const name = nameOf(one.attempt)
    const before = first.get(name)
    first.set(name, before ?? one.attempt.status)
    const results = [...new Set([before, one.attempt.status, last.get(name)].flatMap((status) => status ?? []))]
    if (results.length < 2) return []
    return [{ invariant: 'I3', what: `an attempt has the results ${results.join(' and ')}`, ids: [name] }]
  })
}

/** Nothing begins twice under one fence, whatever died: what may be tried again is tried under another one. */
function checkFences({ seen }: History): Violation[] {
  const begins = seen.flatMap((one) => (one.kind === 'effect' && one.effect.mark === 'begin' ? [one.effect] : []))
  return [...Map.groupBy(begins, ({ fence }) => fence)].flatMap(([fence, some]): Violation[] => {
    if (some.length === 1) return []
    const ids = [...new Set(some.map((mark) => nameOf(mark)))]
    return [{ invariant: 'I3', what: `work began ${some.length} times under fence ${fence}`, ids }]
  })
}

/** No mark of an attempt once a later one of the same task has begun to work. */
function checkOverlaps(history: History): Violation[] {
  const effects = history.seen.flatMap((one) => (one.kind === 'effect' ? [one.effect] : []))
  const tasks = Map.groupBy(effects, ({ runId, step, task }) => `${runId}/${step}/${task}`)
  const attempts = new Map(history.stored.attempts.map((attempt) => [nameOf(attempt), attempt]))
  return [...tasks].flatMap(([task, marks]) => {
    const begins = marks.filter(({ mark }) => mark === 'begin')
    const late = marks.find((mark) =>
      begins.some(
        ({ attempt, at }) =>
          attempt > mark.attempt && mark.at > at + MARGIN_MS && !wasFrozen(history, attempts.get(nameOf(mark)), mark),
      ),
    )
    if (!late) return []
    const what = `attempt ${late.attempt} still worked (${late.mark}) after a later one had begun`
    return [{ invariant: 'I3' as const, what, ids: [task] }]
  })
}

/** A frozen machine cannot be helped until it goes on: docs/operations/faults.md. */
function wasFrozen({ seen }: History, attempt: StoredAttempt | undefined, mark: Mark): boolean {
  return seen.some(
    (one) =>
      one.kind === 'fault' &&
      one.fault === 'runner_frozen' &&
      one.target === attempt?.runner &&
      mark.at >= one.at &&
      mark.at <= one.until + AWAKENING_MS,
  )
}
