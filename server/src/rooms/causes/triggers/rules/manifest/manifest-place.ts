import type { Owner } from '@signalbox/contracts/http'
import type { Membership } from '../commenters.ts'
import type { Matchable } from '../trigger.ts'
import type { ManifestEntry, ReadManifest } from './read-manifest.ts'

/** Where a manifest was found, and on whose behalf it starts. */
export interface ManifestPlace {
  /** Null: the event was posted. */
  readonly sourceId: string | null
  /** Entries start pipelines and use scopes at or below it. */
  readonly teamPath: string
  /** Whether the author of a comment may write, as far as the provider was asked. */
  readonly membership?: Membership | undefined
  /** The principal that wrote the source last. */
  readonly owner: Owner
}

export interface PlacedTrigger {
  readonly trigger: Matchable
  /** Why the place does not let it start anything. */
  readonly refusal: string | null
}

/** The entries of a manifest as triggers of the one repository that it was found in. */
export function triggersOf(
  { entries }: ReadManifest,
  repository: string,
  place: ManifestPlace,
): readonly PlacedTrigger[] {
  const { sourceId, teamPath, owner } = place
  return entries.map((entry) => ({
    trigger: { ...entry, id: null, teamPath, sourceId, sourceLostAt: null, repositories: [repository], owner },
    refusal: findRefusal(entry, teamPath),
  }))
}

/** The right to write to a repository must not give access to other teams. */
function findRefusal({ pipeline, scope }: ManifestEntry, teamPath: string): string | null {
  const below = `${teamPath}/`
  const limit = `does not lie at or below ${teamPath}, the team of the source; a manifest reaches no further.`
  if (!pipeline.startsWith(below)) return `The pipeline ${pipeline} ${limit}`
  if (!scope.startsWith(below)) return `The scope ${scope} ${limit}`
  return null
}
