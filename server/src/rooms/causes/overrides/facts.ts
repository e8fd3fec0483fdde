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
  return {
    repo_owner: override.repoOwner,
    repo_name: override.repoName,
    team_path: override.teamPath,
    pipeline: override.pipeline,
    scope: override.scope,
    expires_at: override.expiresAt?.toISOString() ?? null,
  }
}
