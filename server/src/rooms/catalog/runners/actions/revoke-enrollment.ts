import { type Caller, type Page, type RequestOrigin, readCursor, toPage } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { runnerProblem } from '../errors.ts'
import * as store from '../store/index.ts'

const DEFAULT_LIMIT = 50

export async function listEnrollments(
  kit: Kit,
  caller: Caller,
  query: { readonly limit?: number; readonly cursor?: string },
): Promise<Page<store.EnrollmentRow>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const rows = await store.listEnrollments(kit.database.kysely, {
    prefixes: caller.prefixes('runner.write'),
    before: readCursor(query.cursor),
    limit: limit + 1,
  })
  return toPage(rows, limit)
}

/** Seen by who may enrol runners there; 404 for everyone else. */
export async function getVisibleEnrollment(kit: Kit, caller: Caller, id: string): Promise<store.EnrollmentRow> {
  const row = await store.findEnrollment(kit.database.kysely, id)
  if (!caller.can('runner.write', row?.teamPath ?? '/') || !row) throw unknownEnrollment(id)
  return row
}

/** Its token is good for nothing from now on. 409 when a runner used it: remove that runner instead. */
export async function revokeEnrollment(
  kit: Kit,
  needs: { readonly audit: Audit },
  origin: RequestOrigin,
  id: string,
): Promise<void> {
  const seen = await getVisibleEnrollment(kit, origin.caller, id)
  await kit.database.transaction(async (tx) => {
    if (!(await store.deleteUnusedEnrollment(tx, id))) {
      if (!(await store.findEnrollment(tx, id))) throw unknownEnrollment(id)
      throw runnerProblem('runner.enrollment_used', 'A runner has used it: remove that runner instead.')
    }
    await needs.audit.record(tx, {
      origin,
      action: 'runner_enrollment.revoked',
      resource: { kind: 'runner_enrollment', id },
      teamPath: seen.teamPath,
      before: { scopes: seen.scopes, labels: seen.labels, expires_at: seen.expiresAt.toISOString() },
    })
  })
}

function unknownEnrollment(id: string): Problem {
  return platformProblem('not_found', `There is no enrolment ${id} that you may see.`)
}
