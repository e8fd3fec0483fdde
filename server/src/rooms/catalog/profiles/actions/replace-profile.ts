import { checkIfMatch, etagOf, laterThan, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import type { ProfileContent } from '../rules.ts'
import * as store from '../store.ts'
import { contentOf, refuseContradictions } from './create-profile.ts'
import { getVisibleProfile, unknownProfile } from './find-profile.ts'

export interface ProfileChange extends ProfileContent {
  readonly idOrIdentifier: string
  readonly ifMatch: string | string[] | undefined
  /** As the document that was read says; must be those of the profile. */
  readonly teamPath: string | undefined
  readonly name: string | undefined
}

/** New content; runs that are queued from now on use it. */
export async function replaceProfile(
  kit: Kit,
  needs: { readonly audit: Audit },
  origin: RequestOrigin,
  change: ProfileChange,
): Promise<store.ProfileRow> {
  const seen = await getVisibleProfile(kit.database.kysely, origin.caller, change.idOrIdentifier)
  if (!origin.caller.can('profile.write', seen.teamPath)) {
    throw platformProblem('forbidden', `You need profile.write on ${seen.teamPath} to change this profile.`)
  }
  refuseMove(seen, change)
  refuseContradictions(change)
  return kit.database.transaction(async (tx) => {
    const before = await store.lockProfile(tx, seen.id)
    if (!before) throw unknownProfile(change.idOrIdentifier)
    checkIfMatch(change.ifMatch, etagOf(before.updatedAt))
    const { executor, image, labels, environment, resources } = change
    const updatedAt = laterThan(before.updatedAt, kit.clock.now())
    const after: store.ProfileRow = { ...before, executor, image, labels, environment, resources, updatedAt }
    await store.updateProfile(tx, after)
    await needs.audit.record(tx, {
      origin,
      action: 'profile.updated',
      resource: { kind: 'profile', id: after.id },
      teamPath: after.teamPath,
      before: contentOf(before),
      after: contentOf(after),
    })
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
