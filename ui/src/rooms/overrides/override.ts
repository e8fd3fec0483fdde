import type { BodyOf, ItemOf } from '@signalbox/contracts/http/requests'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { overrideRoutes } from '@signalbox/contracts/overrides/routes'

export type Override = ItemOf<typeof overrideRoutes.listOverrides>
type OverrideOrNone = SuccessOf<typeof overrideRoutes.getOverride>
type OverrideDocument = BodyOf<typeof overrideRoutes.replaceOverride>

/** An override as a person edits it. */
export interface OverrideDraft {
  readonly pipeline: string
  readonly scope: string
  readonly expiresAt: string
  readonly reason: string
}

/** The server answers an empty object where there is none that the person may see. */
export function isOverride(found: OverrideOrNone): found is Override {
  return found.pipeline !== undefined
}

export function draftOf(override: Override | undefined): OverrideDraft {
  return {
    pipeline: override?.pipeline ?? '',
    scope: override?.scope ?? '',
    expiresAt: override?.expires_at ?? '',
    reason: override?.reason ?? '',
  }
}

/** The document that a draft stands for. */
export function documentOf({ pipeline, scope, expiresAt, reason }: OverrideDraft): OverrideDocument {
  return {
    pipeline: pipeline.trim(),
    ...(scope.trim() === '' ? {} : { scope: scope.trim() }),
    expires_at: expiresAt.trim() === '' ? null : expiresAt.trim(),
    reason: reason.trim() === '' ? null : reason,
  }
}

/** The status word of an override. */
export function stateOf({ expired, in_effect }: Override): 'expired' | 'in_effect' | 'not_in_effect' {
  if (expired) return 'expired'
  return in_effect ? 'in_effect' : 'not_in_effect'
}
