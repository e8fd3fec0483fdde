import type { History, Seen } from '../history.ts'
import type { Violation } from './violation.ts'

const OVER = ['success', 'failure', 'warning', 'timed_out', 'canceled']

/** The statuses that may be seen after a status: more than one change can lie between two looks. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  queued: ['running', 'paused', ...OVER],
  running: ['paused', ...OVER],
  paused: ['running', ...OVER],
}

/** I4, with the stored end as the last look. */
export function checkStatuses({ seen, stored }: History): Violation[] {
  const looks = [
    ...seen.flatMap((one) => (one.kind === 'run' ? [{ runId: one.runId, status: one.status }] : [])),
    ...stored.runs.map(({ runId, status }) => ({ runId, status })),
  ]
  return [...Map.groupBy(looks, ({ runId }) => runId)].flatMap(([runId, statuses]) =>
    statuses.flatMap(({ status }, at): Violation[] => {
      const before = statuses[at - 1]?.status
      if (before === undefined || before === status || LATER[before]?.includes(status)) return []
      return [{ invariant: 'I4', what: `a run was ${before} and then ${status}`, ids: [runId] }]
    }),
  )
}

function findFall(one: Seen): readonly Violation[] {
  switch (one.kind) {
    case 'ended':
      return [{ invariant: 'I5', what: `ended by itself (${one.how}): ${one.said}`, ids: [one.process] }]
    case 'silent':
      return [{ invariant: 'I5', what: `${one.what}; what it did is in ${one.kept}`, ids: [one.process] }]
    default:
      return []
  }
}

/** I5, once nothing has happened for long enough and every struck part is back. */
export function checkEnds({ stored, seen }: History): Violation[] {
  const settled = seen.some(({ kind }) => kind === 'quiet')
  const unsettled: Violation[] = settled
    ? []
    : [{ invariant: 'I5', what: 'runs still changed when the time to settle was over', ids: [] }]
  const stuck = stored.runs.filter(({ status, waitsFor }) => !OVER.includes(status) && waitsFor === null)
  const gone = seen.flatMap((one): Violation[] => {
    if (one.kind !== 'unrecovered') return []
    return [{ invariant: 'I5', what: `not back after ${one.fault}: ${one.why}`, ids: [one.target] }]
  })
  return [
    ...unsettled,
    ...gone,
    ...seen.flatMap(findFall),
    ...stuck.map(({ runId, status }): Violation => {
      const open = stored.attempts.filter((attempt) => attempt.runId === runId && attempt.finishedAt === null)
      const shown = open.map(({ step, task, attempt, status: of }) => `${step}.${task}#${attempt} ${of}`).join(', ')
      return { invariant: 'I5', what: `a run stays ${status}, attempts: ${shown || 'none'}`, ids: [runId] }
    }),
  ]
}
