import { foreignKeyViolation } from '#platform/database'
import { checkIfMatch, etagOf, type RequestOrigin, requirePermission } from '#platform/http'
import { profileProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store.ts'
import { about, contentOf } from './create-profile.ts'
import { getVisibleProfile, unknownProfile } from './find-profile.ts'

/** 409 while the current version of a pipeline names it: the database holds the reference. */
export async function deleteProfile(means: Means, origin: RequestOrigin, idOrIdentifier: string): Promise<void> {
  const seen = await getVisibleProfile(means, origin.caller, idOrIdentifier)
  requirePermission(origin.caller, 'profile.write', seen.teamPath)
  try {
    await means.database.transaction(async (tx) => {
      const before = await store.lockProfile(tx, seen.id)
      if (!before) throw unknownProfile(idOrIdentifier)
      checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
      await store.deleteProfile(tx, before.id)
      await means.audit.record(tx, { origin, ...about(before), action: 'profile.deleted', before: contentOf(before) })
    })
  } catch (error) {
    const violated = foreignKeyViolation(error)
    if (violated !== 'pipelines_profile_in_use' && violated !== 'pipeline_profiles_in_use') throw error
    const detail = `A pipeline names ${seen.teamPath}/${seen.name}: let it name another profile, or delete it first.`
    throw profileProblem('profile.in_use', detail, { cause: error })
  }
}
