import { toWire } from '#platform/http'
import type { Override } from './rules/index.ts'

/** Told in the transaction that writes an override, new or not. */
export const OVERRIDE_CHANGED = { kind: 'override.changed', version: 1 } as const
/** Told in the transaction that deletes one. */
export const OVERRIDE_DELETED = { kind: 'override.deleted', version: 1 } as const

/** Payload of both; of a deletion it says what was. */
export interface OverrideTold {
  readonly repo_owner: string
  readonly repo_name: string
  readonly team_path: string
  readonly pipeline: string
  readonly scope: string
  readonly expires_at: string | null
}

export function overrideTold(override: Override): OverrideTold {
  const { repoOwner, repoName, teamPath, pipeline, scope, expiresAt } = override
  return toWire({ repoOwner, repoName, teamPath, pipeline, scope, expiresAt })
}
