import type { EventKind } from '@signalbox/contracts/event'
import type { OverrideResolution } from '@signalbox/contracts/overrides'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { OverrideNeeds } from '../index.ts'

export interface ResolutionRequest {
  /** `owner/name` as it was asked for. */
  readonly repository: string
  /** In full, such as refs/heads/main; null: none was named. */
  readonly ref: string | null
  readonly event: EventKind
}

/**
 * What an event would start now, told by the room of events. It shows no rule that the caller may not see: overrides by
 * override.read, triggers by trigger.read.
 */
export type ResolutionReader = (caller: Caller, request: ResolutionRequest) => Promise<OverrideResolution>

/** As it was asked for. */
export interface ResolutionAsked {
  readonly repository: string
  readonly ref: string | null
  /** Undefined: a push, or, where `ref` is one of a tag, what a push of a tag is. */
  readonly event: EventKind | undefined
}

/** Throws forbidden (403) for a caller who may see no override at all, override.not_answerable (503). */
export async function resolveEvent(
  needs: Pick<OverrideNeeds, 'resolution'>,
  caller: Caller,
  { repository, ref, event: kind }: ResolutionAsked,
): Promise<OverrideResolution> {
  if (caller.prefixes('override.read').length === 0) {
    throw platformProblem('forbidden', 'You need the permission override.read on a team.')
  }
  const event = kind ?? (ref?.startsWith('refs/tags/') ? 'tag' : 'push')
  return needs.resolution(caller, { repository, ref: fullRef(ref, event), event })
}

const OF_TAGS: readonly EventKind[] = ['tag', 'tag_deleted', 'release']

/** `main` is the branch of that name, as for a run that is started by hand; of events about tags it is the tag. */
function fullRef(ref: string | null, event: EventKind): string | null {
  if (ref === null || ref.startsWith('refs/')) return ref
  return `${OF_TAGS.includes(event) ? 'refs/tags/' : 'refs/heads/'}${ref}`
}
