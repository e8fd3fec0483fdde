import { foreignKeyViolation } from '#platform/database'
import { checkIfMatch, etagOf, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { profileProblem } from '../errors.ts'
import * as store from '../store.ts'
import { contentOf } from './create-profile.ts'
import { getVisibleProfile, unknownProfile } from './find-profile.ts'

/** 409 while the current version of a pipeline names it: the database holds the reference. */
export async function deleteProfile(
  kit: Kit,
  needs: { readonly audit: Audit },
  origin: RequestOrigin,
  input: { readonly idOrIdentifier: string; readonly ifMatch: string | string[] | undefined },
): Promise<void> {
  const seen = await getVisibleProfile(kit.database.kysely, origin.caller, input.idOrIdentifier)
  if (!origin.caller.can('profile.write', seen.teamPath)) {
    throw platformProblem('forbidden', `You need profile.write on ${seen.teamPath} to delete this profile.`)
  }
  try {
    await kit.database.transaction(async (tx) => {
      const before = await store.lockProfile(tx, seen.id)
      if (!before) throw unknownProfile(input.idOrIdentifier)
      checkIfMatch(input.ifMatch, etagOf(before.updatedAt))
      await store.deleteProfile(tx, before.id)
      await needs.audit.record(tx, {
        origin,
        action: 'profile.deleted',
        resource: { kind: 'profile', id: before.id },
        teamPath: before.teamPath,
        before: contentOf(before),
      })
    })
  } catch (error) {
    const violated = foreignKeyViolation(error)
    if (violated !== 'pipelines_profile_in_use' && violated !== 'pipeline_profiles_in_use') throw error
    const detail = `A pipeline names ${seen.teamPath}/${seen.name}: let it name another profile, or delete it first.`
    throw profileProblem('profile.in_use', detail, { cause: error })
  }
}
