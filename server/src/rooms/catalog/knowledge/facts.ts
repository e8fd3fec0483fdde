import type { Principal } from '@signalbox/contracts/http'
import { type Emergency, type ItemHead, identifierOf } from './rules/index.ts'

/** Told in the transaction that saves an item, new or not. */
export const KNOWLEDGE_CHANGED = { kind: 'knowledge.changed', version: 1 } as const
/** Told in the transaction that deletes an item. */
export const KNOWLEDGE_DELETED = { kind: 'knowledge.deleted', version: 1 } as const
/** Told in the transaction that declares an emergency: runs in its scopes have to be canceled. */
export const EMERGENCY_DECLARED = { kind: 'emergency.declared', version: 1 } as const
/** Told in the transaction that lifts an emergency: runs that wait for it may begin. */
export const EMERGENCY_LIFTED = { kind: 'emergency.lifted', version: 1 } as const

/** Payload of both facts about items; after a deletion it tells the last state. */
export interface KnowledgeTold {
  readonly id: string
  readonly identifier: string
  readonly team_path: string
  readonly kind: string
  readonly scope: string
  readonly revision: number
  readonly revision_id: string
}

/** Payload of emergency.declared and emergency.lifted; `reason` and `by` are those of the declaration or the lifting. */
export interface EmergencyTold {
  readonly id: string
  /** Glob over scopes. */
  readonly scope: string
  readonly team_path: string
  readonly reason: string | null
  readonly by: Principal
}

export function knowledgeTold(item: ItemHead): KnowledgeTold {
  return {
    id: item.id,
    identifier: identifierOf(item),
    team_path: item.teamPath,
    kind: item.kind,
    scope: item.scope,
    revision: item.revision,
    revision_id: item.revisionId,
  }
}

export function emergencyTold({ id, scope, teamPath }: Emergency, by: Principal, reason: string | null): EmergencyTold {
  return { id, scope, team_path: teamPath, reason, by: { ...by } }
}
