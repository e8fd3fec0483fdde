import { foreignKeyViolation, uniqueViolation } from '#platform/database'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { profileProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { findContradictions, type ProfileContent } from '../rules.ts'
import * as store from '../store.ts'

export interface NewProfile extends ProfileContent {
  readonly teamPath: string
  readonly name: string
}

/** Throws forbidden (403), `profile.name_taken` (409) and `profile.unknown_team` (400). */
export async function createProfile(means: Means, origin: RequestOrigin, input: NewProfile): Promise<store.ProfileRow> {
  requirePermission(origin.caller, 'profile.write', input.teamPath)
  refuseContradictions(input)
  const now = means.clock.now()
  const row: store.ProfileRow = { ...input, id: means.ids.next(), createdAt: now, updatedAt: now }
  try {
    await means.database.transaction(async (tx) => {
      await store.insertProfile(tx, row)
      await means.audit.record(tx, { origin, ...about(row), action: 'profile.created', after: contentOf(row) })
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
  return { team_path: teamPath, name, executor, image, labels, environment, resources }
}

/** The resource and the team of an audit record. */
export function about({ id, teamPath }: store.ProfileRow) {
  return { resource: { kind: 'profile', id }, teamPath }
}
