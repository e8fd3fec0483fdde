import { foreignKeyViolation, uniqueViolation } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { profileProblem } from '../errors.ts'
import { findContradictions, type ProfileContent } from '../rules.ts'
import * as store from '../store.ts'

export interface NewProfile extends ProfileContent {
  readonly teamPath: string
  readonly name: string
}

export async function createProfile(
  kit: Kit,
  needs: { readonly audit: Audit },
  origin: RequestOrigin,
  input: NewProfile,
): Promise<store.ProfileRow> {
  if (!origin.caller.can('profile.write', input.teamPath)) {
    throw platformProblem('forbidden', `You need profile.write on ${input.teamPath} to create a profile there.`)
  }
  refuseContradictions(input)
  const now = kit.clock.now()
  const row: store.ProfileRow = { ...input, id: kit.ids.next(), createdAt: now, updatedAt: now }
  try {
    await kit.database.transaction(async (tx) => {
      await store.insertProfile(tx, row)
      await needs.audit.record(tx, {
        origin,
        action: 'profile.created',
        resource: { kind: 'profile', id: row.id },
        teamPath: row.teamPath,
        after: contentOf(row),
      })
    })
  } catch (error) {
    if (uniqueViolation(error) === 'profiles_name_taken') {
      const detail = `${input.teamPath} has a profile ${input.name} already: choose another name, or change that one.`
      throw profileProblem('profile.name_taken', detail, { cause: error })
    }
    if (foreignKeyViolation(error) !== undefined) {
      const message = `There is no team ${input.teamPath}.`
      throw profileProblem('profile.unknown_team', message, { errors: [{ field: 'team_path', message }], cause: error })
    }
    throw error
  }
  return row
}

/** Throws 400 that names every field at fault. */
export function refuseContradictions(content: ProfileContent): void {
  const errors = findContradictions(content)
  const [first] = errors
  if (first) throw platformProblem('invalid_request', `${first.field} ${first.message}.`, { errors })
}

/** The profile as an audit record keeps it. */
export function contentOf(row: store.ProfileRow): unknown {
  const { teamPath, name, executor, image, labels, environment, resources } = row
  const limits = { cpus: resources.cpus, memory_mb: resources.memoryMb }
  return { team_path: teamPath, name, executor, image, labels, environment, resources: limits }
}
