import type { History } from '../history.ts'
import type { Violation } from './violation.ts'

/** Each delivery of the load meets this many triggers. */
export const TRIGGERS = 2

/** I1 and I2. */
export function checkDeliveries({ seen, stored }: History): Violation[] {
  const sent = Map.groupBy(
    seen.filter((one) => one.kind === 'delivered'),
    ({ deliveryId }) => deliveryId,
  )
  const records = Map.groupBy(stored.deliveries, ({ deliveryId }) => deliveryId)
  const runs = Map.groupBy(
    stored.runs.filter(({ cause }) => cause === 'event'),
    ({ commit }) => commit,
  )
  return [...sent].flatMap(([id, sendings]) => {
    const violations: Violation[] = []
    const taken = sendings.some(({ status }) => status === 202 || status === 200)
    const accepted = (records.get(id) ?? []).filter(({ result }) => result === 'accepted')
    const started = runs.get(sendings[0]?.commit ?? '') ?? []
    if (taken && accepted.length === 0) {
      violations.push({ invariant: 'I1', what: 'a delivery was taken and is not stored', ids: [id] })
    }
    if (taken && started.length < TRIGGERS) {
      const what = `a delivery was taken and has ${started.length} of ${TRIGGERS} runs`
      violations.push({ invariant: 'I1', what, ids: [id, ...started.map(({ runId }) => runId)] })
    }
    const named = new Set(accepted.flatMap(({ runIds }) => runIds))
    const unnamed = started.filter(({ runId }) => !named.has(runId))
    if (accepted.length > 1 || started.length > TRIGGERS || (accepted.length === 1 && unnamed.length > 0)) {
      const what = `a delivery was accepted ${accepted.length} times and started ${started.length} runs`
      violations.push({ invariant: 'I2', what, ids: [id, ...started.map(({ runId }) => runId)] })
    }
    return violations
  })
}

/** I1 for requests by hand. */
export function checkRequests({ seen, stored }: History): Violation[] {
  const known = new Set(stored.runs.map(({ runId }) => runId))
  return seen.flatMap((one): Violation[] => {
    if (one.kind !== 'started' || one.status !== 202 || known.has(one.runId)) return []
    return [{ invariant: 'I1', what: `a run (${one.how}) was promised and is not there`, ids: [one.runId] }]
  })
}
