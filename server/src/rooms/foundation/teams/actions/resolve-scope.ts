import type { Queryable } from '#platform/database'
import { splitScope } from '../rules.ts'
import * as store from '../store.ts'

export type { ScopeRow as Scope } from '../store.ts'

export async function resolveScope(db: Queryable, scope: string): Promise<store.ScopeRow | undefined> {
  const parts = splitScope(scope)
  return parts && store.findScope(db, parts.teamPath, parts.environment)
}

export function listScopes(db: Queryable): Promise<readonly store.ScopeRow[]> {
  return store.listScopes(db)
}
