import { type Caller, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { accessProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store/snapshot.ts'
import { changeAccess } from './change-access.ts'

/** Throws forbidden (403) to all but administrators. */
export async function describeBootstrap(
  { keeper, bootstrap }: Means,
  caller: Caller,
): Promise<{ readonly isValid: boolean; readonly isConfigured: boolean; readonly administratorExists: boolean }> {
  requirePermission(caller, 'user.write', '/')
  const { bootstrapRevoked, administratorExists } = await keeper.get()
  return { isValid: !bootstrapRevoked, isConfigured: bootstrap.configured, administratorExists }
}

/** For good. Only a real administrator may: the bootstrap token, if it revoked itself, would lock everybody out. */
export async function revokeBootstrap(means: Means, origin: RequestOrigin): Promise<void> {
  requirePermission(origin.caller, 'user.write', '/')
  if (origin.caller.kind === 'bootstrap') {
    throw platformProblem('forbidden', 'Sign in as an administrator: the bootstrap token does not revoke itself.')
  }
  await changeAccess(means, async (tx) => {
    if (!(await store.revokeBootstrap(tx, means.clock.now()))) {
      throw accessProblem('bootstrap.already_revoked', 'The bootstrap token was revoked before.')
    }
    await means.audit.record(tx, {
      origin,
      action: 'bootstrap.revoked',
      resource: { kind: 'bootstrap', id: 'bootstrap' },
      teamPath: '/',
    })
  })
  means.bootstrap.remove()
}
