import type { Event } from '@signalbox/contracts/event'
import type { MatchContext } from '#rooms/causes/triggers'
import type { LearntName, RepositoryNames, Source } from '../rules/index.ts'

/** A source, and which repositories it is for. */
export interface NamingSource {
  readonly source: Source
  allows(repository: string): boolean
}

/**
 * The context with the other names of the event's repository. Only triggers that the source is for: a holder of its
 * secret could name any of these anyway.
 */
export function withOtherNames(
  context: MatchContext,
  names: RepositoryNames,
  { source, allows }: NamingSource,
  { event, at }: { readonly event: Event; readonly at: Date },
): MatchContext {
  const { otherNames } = names.look(source.id, event.repository, at)
  if (!otherNames) return context
  const others = otherNames.others.filter((name) => allows(name))
  return others.length === 0 ? context : { ...context, otherNames: { ...otherNames, others } }
}

/** The names of repositories that the source told of for the first time, or again after another one. */
export function newNames(
  names: RepositoryNames,
  sourceId: string,
  events: readonly Event[],
  since: Date,
): readonly LearntName[] {
  return events.flatMap(({ repository }) => {
    const { id, full_name: name } = repository
    if (id === null || !names.look(sourceId, repository, since).isNews) return []
    return [{ sourceId, name, repositoryId: id, since }]
  })
}
