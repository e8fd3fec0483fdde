import type { EventKind } from '@signalbox/contracts/event'

/** An event in a question about the runs that it would start. */
export interface ResolutionQuestion {
  /** `owner/name` as it was asked for. */
  readonly repository: string
  /** In full, such as refs/heads/main; null: none was named. */
  readonly ref: string | null
  readonly event: EventKind
}

const OF_TAGS: readonly EventKind[] = ['tag', 'tag_deleted', 'release']

/**
 * Without a kind it is a push, or, where the ref is one of a tag, what a push of a tag is. `main` is the branch of that name,
 * as for a run that is started by hand; of events about tags it is the tag.
 */
export function readQuestion(repository: string, ref: string | null, kind: EventKind | undefined): ResolutionQuestion {
  const event = kind ?? (ref?.startsWith('refs/tags/') ? 'tag' : 'push')
  if (ref === null || ref.startsWith('refs/')) return { repository, ref, event }
  return { repository, ref: `${OF_TAGS.includes(event) ? 'refs/tags/' : 'refs/heads/'}${ref}`, event }
}
