import type { Owner } from '@signalbox/contracts/http'
import { isExpired, type Override } from './override.ts'

/** A source that admits a repository, or the one that told of an event, as far as overrides care. */
export interface VouchingSource {
  readonly visibleTo: (owner: Owner) => boolean
  /** Whether it speaks for rules of a team. Undefined: no source told. */
  readonly feeds?: ((teamPath: string) => boolean) | undefined
  /** Whether this owner may change it. Undefined: no source told. */
  readonly overriddenBy?: ((owner: Owner) => boolean) | undefined
}

/** Whether an override decides about any event now; else why not, and what to do. */
export type Standing =
  | { readonly inEffect: true; readonly reason: null }
  | { readonly inEffect: false; readonly reason: string }

/**
 * Why an override does not decide about events of the source, with what to do; undefined where the source vouches for it. Its
 * owner may change the source, for anybody can list a repository in one of their own and override it then, and the source
 * speaks for the override's team.
 */
export function whyNotVouched({ owner, teamPath }: Override, source: VouchingSource): string | undefined {
  if (source.feeds?.(teamPath) === false) {
    const whose = `the source speaks for its own team and those below, not for ${teamPath}`
    return `It does not apply: ${whose}. Share the source (its owner must be allowed to start runs of ${teamPath}), or name a pipeline of its team.`
  }
  if (source.visibleTo(owner) && source.overriddenBy?.(owner) !== false) return undefined
  return `It does not apply: ${owner.name}, who wrote it, may not change the source. Somebody who may has to write it again.`
}

/**
 * The standing of an override among those of its repository, by the enabled sources that admit the repository. Of several
 * that a source vouches for the oldest decides. What is hidden from its owner is told as what is not there.
 */
export function standingOf(
  override: Override,
  others: readonly Override[],
  sources: readonly VouchingSource[],
  at: Date,
): Standing {
  if (isExpired(override, at)) return { inEffect: false, reason: 'It has expired.' }
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
  const wanted = `It must be enabled, admit ${repoOwner}/${repoName}, speak for ${teamPath}, and be one that ${owner.name} may change.`
  return `No webhook source vouches for it. ${wanted}`
}

function sourcesVouching(override: Override, sources: readonly VouchingSource[]): readonly VouchingSource[] {
  return sources.filter((source) => whyNotVouched(override, source) === undefined)
}
