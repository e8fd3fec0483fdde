import type { Permission } from '@signalbox/contracts/access'
import type { Owner } from '@signalbox/contracts/http'

/** A rule that starts a pipeline on behalf of its owner; whoever reads it need not see what it starts. */
export interface StartingRule {
  /** `<team path>/<name>`; null where nobody knows it any more. */
  readonly pipeline: string | null
  readonly owner?: Pick<Owner, 'kind' | 'id'>
}

export interface ReasonReader {
  readonly kind: string
  readonly id: string
  can(permission: Permission, teamPath: string): boolean
}

const HIDDEN = 'It could not start what it starts. Whoever may read the pipeline is told why.'

/**
 * The reason why a rule started nothing, as this reader may see it. It was written for the owner of the rule, and may name
 * what the pipeline names: secrets, profiles, scopes and pipelines of other teams.
 */
export function reasonFor<Reason extends string | null>(
  reader: ReasonReader,
  { pipeline, owner }: StartingRule,
  reason: Reason,
): Reason | string {
  const teamPath = pipeline === null ? '/' : pipeline.slice(0, pipeline.lastIndexOf('/'))
  const isOwner = owner !== undefined && reader.kind === owner.kind && reader.id === owner.id
  return reason === null || isOwner || reader.can('pipeline.read', teamPath) ? reason : HIDDEN
}
