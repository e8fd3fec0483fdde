import type { Caller } from '#platform/http'
import type { PlannedCall } from '#platform/planning'
import type { Means } from '../means.ts'
import { type Request, refusalOf } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { candidateOf } from './judge-votes.ts'
import { FORK } from './present-fork.ts'
import { withAskers } from './with-askers.ts'

/**
 * For each planned decision, whether somebody may make it: whom the step names, also once the run is over. About a run of a
 * fork permissions decide, which the plan holds. Four queries at most, however many decisions there are.
 */
export async function findDoers(
  means: Means,
  calls: readonly PlannedCall[],
): Promise<readonly ((viewer: Caller) => boolean)[]> {
  const db = means.database.kysely
  const places = calls.map(({ params: { id = '', step = '' } }) => ({ runId: id.toLowerCase(), step }))
  const found = await withAskers(means, db, await store.listOfSteps(db, places))
  const requests = new Map(found.map((request) => [keyOf(request), request]))
  const snapshot = await means.access.snapshot()
  return places.map((place) => {
    const request = requests.get(keyOf(place))
    if (!request) return () => place.step === FORK
    return (viewer) =>
      viewer.can('run.read', request.teamPath) &&
      means.access.isWithinLimits(viewer, 'run.approve', request.teamPath) &&
      refusalOf(candidateOf(snapshot, viewer), request) === null
  })
}

function keyOf({ runId, step }: Pick<Request, 'runId' | 'step'>): string {
  return `${runId} ${step}`
}
