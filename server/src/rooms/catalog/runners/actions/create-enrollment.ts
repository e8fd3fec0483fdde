import { createToken } from '#platform/crypto'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type FieldFault, findScopeFaults } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { about, contentOf } from './find-enrollment.ts'

export interface EnrollmentInput {
  readonly teamPath: string
  readonly scopes: readonly string[]
  readonly labels: readonly string[]
  readonly expiresAt: Date | undefined
}

const HOUR_MS = 3_600_000
const DEFAULT_LIFE_MS = 24 * HOUR_MS
/** An old token that nobody used is more likely to be found by a stranger than to be used. */
const LONGEST_LIFE_MS = 30 * 24 * HOUR_MS

/** A token with which one runner enrols once. The token is in the answer and nowhere else. */
export async function createEnrollment(
  means: Means,
  origin: RequestOrigin,
  input: EnrollmentInput,
): Promise<{ readonly enrollment: store.EnrollmentRow; readonly token: string }> {
  const { teamPath } = input
  requirePermission(origin.caller, 'runner.write', teamPath)
  const now = means.clock.now()
  const expiresAt = input.expiresAt ?? new Date(now.getTime() + DEFAULT_LIFE_MS)
  refuse([...findScopeFaults(input.scopes, teamPath), ...findExpiryFaults(expiresAt, now)])
  const { token, sha256 } = createToken('runner')
  const enrollment: store.EnrollmentRow = {
    id: means.ids.next(),
    teamPath,
    scopes: input.scopes,
    labels: input.labels,
    expiresAt,
    usedAt: null,
    createdBy: origin.caller.name,
    createdAt: now,
  }
  await means.database.transaction(async (tx) => {
    if (teamPath !== '/') await means.teams.getTeamByPath(tx, teamPath)
    await store.insertEnrollment(tx, enrollment, sha256)
    const states = { after: contentOf(enrollment) }
    await means.audit.record(tx, { origin, ...about(enrollment), action: 'runner_enrollment.created', ...states })
  })
  return { enrollment, token }
}

/** Throws 400 that names every field at fault. */
export function refuse(errors: readonly FieldFault[]): void {
  const [first] = errors
  if (first) throw platformProblem('invalid_request', `${first.field}: ${first.message}.`, { errors })
}

function findExpiryFaults(expiresAt: Date, now: Date): FieldFault[] {
  const life = expiresAt.getTime() - now.getTime()
  if (life > 0 && life <= LONGEST_LIFE_MS) return []
  return [{ field: 'expires_at', message: 'must lie in the future, at most 30 days ahead' }]
}
