import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import * as store from '../store.ts'

export type { SecretRow } from '../store.ts'

/** What is known of a secret, if the caller may see that it exists: unknown and invisible ones look alike (404). */
export async function getVisibleSecret(db: Queryable, caller: Caller, id: string): Promise<store.SecretRow> {
  const secret = await store.findSecret(db, id)
  const visible = caller.can('secret.read', secret?.teamPath ?? '/')
  if (!secret || !visible) throw platformProblem('not_found', 'There is no such secret, or you may not see it.')
  return secret
}
