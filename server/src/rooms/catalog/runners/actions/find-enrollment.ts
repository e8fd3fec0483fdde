import type { RunnerEnrollmentQuery } from '@signalbox/contracts/runners'
import { type Caller, type Page, pageOf, requireVisible } from '#platform/http'
import { type Problem, platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

export function listEnrollments(
  means: Means,
  caller: Caller,
  query: RunnerEnrollmentQuery,
): Promise<Page<store.EnrollmentRow>> {
  const prefixes = caller.prefixes('runner.write')
  return pageOf(query, (window) => store.listEnrollments(means.database.kysely, { ...window, prefixes }))
}

/** Callers who may enrol runners at the team see the enrolment; 404 for all others. */
export async function getVisibleEnrollment(means: Means, caller: Caller, id: string): Promise<store.EnrollmentRow> {
  const found = await store.findEnrollment(means.database.kysely, id)
  return requireVisible(caller, 'runner.write', found, () => unknownEnrollment(id))
}

export function unknownEnrollment(id: string): Problem {
  return platformProblem('not_found', `There is no enrolment ${id} that you may see.`)
}

/** The enrolment as an audit record keeps it. */
export function contentOf({ scopes, labels, expiresAt }: store.EnrollmentRow): unknown {
  return { scopes, labels, expires_at: expiresAt.toISOString() }
}

/** The resource and the team of an audit record. */
export function about({ id, teamPath }: store.EnrollmentRow) {
  return { resource: { kind: 'runner_enrollment', id }, teamPath }
}
