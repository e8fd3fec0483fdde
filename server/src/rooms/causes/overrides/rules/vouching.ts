import type { Owner } from '@signalbox/contracts/http'
import { isExpired, type Override } from './override.ts'

/** The part of a source that overrides need: it admits a repository, or it told of an event. */
export interface VouchingSource {
  readonly visibleTo: (owner: Owner) => boolean
  /** Whether it speaks for rules of a team. Undefined: no source told. */
  readonly feeds?: ((teamPath: string) => boolean) | undefined
  /** The team whose pipelines and scopes a manifest may name that it has read. Undefined: it reads none. */
  readonly manifestTeam?: string | undefined
  /** Whether this owner may change it. Undefined: no source told. */
  readonly overriddenBy?: ((owner: Owner) => boolean) | undefined
}

/** Whether an override decides about any event now; else why not, and what to do. */
export type Standing =
  | { readonly inEffect: true; readonly reason: null }
  | { readonly inEffect: false; readonly reason: string }

/**
 * Why an override does not decide about events of the source, with what to do; undefined where the source vouches for it. A
 * source vouches where it speaks for the override's team and the override's owner may change it. Otherwise anybody could
 * list the repository in a source of their own and override it.
 */
export function whyNotVouched({ owner, teamPath }: Override, source: VouchingSource): string | undefined {
  if (source.feeds?.(teamPath) === false) {
    const whose = `the source speaks for its own team and those below, not for ${teamPath}`
    return `The override does not apply: ${whose}. Share the source (its owner must be allowed to start runs of ${teamPath}), or name a pipeline of its team.`
  }
  if (source.visibleTo(owner) && source.overriddenBy?.(owner) !== false) return undefined
  return `The override does not apply: ${owner.name}, who wrote it, may not change the source. Ask somebody who may change the source to write the override again.`
}

/**
 * The standing of an override among those of its repository, by the enabled sources that admit the repository. Where a
 * source vouches for several, the oldest decides. The reason never tells the owner about hidden sources.
 */
export function standingOf(
  override: Override,
  others: readonly Override[],
  sources: readonly VouchingSource[],
  at: Date,
): Standing {
  if (isExpired(override, at)) return { inEffect: false, reason: 'The override has expired.' }
  const vouching = sourcesVouching(override, sources)
  if (vouching.length === 0) return { inEffect: false, reason: describeUnvouched(override) }
  const older = others.filter((other) => other.id < override.id && !isExpired(other, at))
  const free = vouching.some((source) => older.every((other) => whyNotVouched(other, source) !== undefined))
  if (free) return { inEffect: true, reason: null }
  return { inEffect: false, reason: 'An older override of the repository comes first: have it deleted.' }
}

/** Another override for which a source of this one vouches as well: the two would decide about the same events. */
export function findRival(
  override: Override,
  others: readonly Override[],
  sources: readonly VouchingSource[],
  at: Date,
): Override | undefined {
  const vouching = sourcesVouching(override, sources)
  return others.find(
    (other) => !isExpired(other, at) && vouching.some((source) => whyNotVouched(other, source) === undefined),
  )
}

export function describeUnvouched({ repoOwner, repoName, teamPath, owner }: Override): string {
  const wanted = `Such a source is enabled, admits ${repoOwner}/${repoName} and speaks for ${teamPath}, and ${owner.name} may change it.`
  return `No webhook source vouches for the override. ${wanted}`
}

function sourcesVouching(override: Override, sources: readonly VouchingSource[]): readonly VouchingSource[] {
  return sources.filter((source) => whyNotVouched(override, source) === undefined)
}
