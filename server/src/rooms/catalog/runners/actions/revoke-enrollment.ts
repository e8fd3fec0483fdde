import type { RequestOrigin } from '#platform/http'
import { runnerProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'
import { about, contentOf, getVisibleEnrollment, unknownEnrollment } from './find-enrollment.ts'

/** The token is no longer valid. 409 when a runner has used it: remove that runner instead. */
export async function revokeEnrollment(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const seen = await getVisibleEnrollment(means, origin.caller, id)
  await means.database.transaction(async (tx) => {
    if (!(await store.deleteUnusedEnrollment(tx, id))) {
      if (!(await store.findEnrollment(tx, id))) throw unknownEnrollment(id)
      throw runnerProblem('runner.enrollment_used', 'A runner has used the token: remove that runner instead.')
    }
    const states = { before: contentOf(seen) }
    await means.audit.record(tx, { origin, ...about(seen), action: 'runner_enrollment.revoked', ...states })
  })
}
