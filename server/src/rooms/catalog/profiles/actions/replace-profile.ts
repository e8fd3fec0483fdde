import { checkIfMatch, etagOf, laterThan, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { ProfileContent } from '../rules.ts'
import * as store from '../store.ts'
import { about, contentOf, refuseContradictions } from './create-profile.ts'
import { getVisibleProfile, unknownProfile } from './find-profile.ts'

export interface ProfileChange extends ProfileContent {
  readonly idOrIdentifier: string
  /** As the document that was read says; must be those of the profile. */
  readonly teamPath: string | undefined
  readonly name: string | undefined
}

/** New content; runs that are queued from now on use it. Throws 403, 404, `version_conflict` (409). */
export async function replaceProfile(
  means: Means,
  origin: RequestOrigin,
  change: ProfileChange,
): Promise<store.ProfileRow> {
  const seen = await getVisibleProfile(means, origin.caller, change.idOrIdentifier)
  requirePermission(origin.caller, 'profile.write', seen.teamPath)
  refuseMove(seen, change)
  refuseContradictions(change)
  return means.database.transaction(async (tx) => {
    const before = await store.lockProfile(tx, seen.id)
    if (!before) throw unknownProfile(change.idOrIdentifier)
    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
    const { executor, image, labels, environment, resources } = change
    const updatedAt = laterThan(before.updatedAt, means.clock.now())
    const after: store.ProfileRow = { ...before, executor, image, labels, environment, resources, updatedAt }
    await store.updateProfile(tx, after)
    const states = { before: contentOf(before), after: contentOf(after) }
    await means.audit.record(tx, { origin, ...about(before), action: 'profile.updated', ...states })
    return after
  })
}

function refuseMove(seen: store.ProfileRow, change: ProfileChange): void {
  const errors = []
  if (change.teamPath !== undefined && change.teamPath !== seen.teamPath) {
    errors.push({ field: 'team_path', message: `must stay ${seen.teamPath}: create a profile in the other team` })
  }
  if (change.name !== undefined && change.name !== seen.name) {
    errors.push({ field: 'name', message: `must stay ${seen.name}: pipelines name the profile by it` })
  }
  const [first] = errors
  if (first) throw platformProblem('invalid_request', `${first.field} ${first.message}.`, { errors })
}
