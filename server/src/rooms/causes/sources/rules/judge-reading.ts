import type { Event } from '@signalbox/contracts/event'
import type { Reading } from '#adapters/forges'
import { describeOutside, type RepositoryNames } from './repository-names.ts'
import type { Source } from './source.ts'

/** By what a source judges. */
export interface Judging {
  readonly source: Source
  /** Whether the source is for a repository of this name. */
  allows(repository: string): boolean
  /** Undefined: the names are unavailable, and a refusal needs only the known ones. */
  readonly names: RepositoryNames | undefined
  readonly at: Date
  /** How the provider calls the app of the source; undefined: it has none. */
  readonly ownLogin: string | undefined
}

/**
 * The outcomes of a proved sender's delivery, by its content: events to be matched, or an end. `refused` ends with the
 * problem of that code. A delivery with one event outside of the allowlist is refused as a whole.
 */
export type Judgement =
  | { readonly kind: 'events'; readonly events: readonly Event[] }
  | { readonly kind: 'ignored'; readonly reason: string }
  | {
      readonly kind: 'refused'
      readonly code: 'delivery.unreadable' | 'delivery.nothing_runnable' | 'delivery.repository_not_allowed'
      readonly reason: string
    }

export function judgeReading(reading: Reading, { source, allows, names, at, ownLogin }: Judging): Judgement {
  switch (reading.kind) {
    case 'unreadable':
      return { kind: 'refused', code: 'delivery.unreadable', reason: reading.reason }
    case 'nothing_runnable':
      return source.acknowledgeUnmapped
        ? { kind: 'ignored', reason: reading.reason }
        : { kind: 'refused', code: 'delivery.nothing_runnable', reason: reading.reason }
    case 'events': {
      const outside = reading.events.find((event) => !allows(event.repository.full_name))
      if (!outside) return isOwn(reading.events, ownLogin) ? OWN : { kind: 'events', events: reading.events }
      const known = names?.look(source.id, outside.repository, at).otherNames?.others
      const formerName = known?.find((name) => allows(name))
      const reason = describeOutside(outside.repository.full_name, formerName)
      return { kind: 'refused', code: 'delivery.repository_not_allowed', reason }
    }
  }
}

/** Otherwise a run that writes to its repository could start itself, for ever. */
export const OWN: Extract<Judgement, { kind: 'ignored' }> = {
  kind: 'ignored',
  reason: 'The app of this source did this itself, and what it does starts nothing.',
}

function isOwn(events: readonly Event[], ownLogin: string | undefined): boolean {
  if (ownLogin === undefined) return false
  const own = ownLogin.toLowerCase()
  return events.every(({ sender }) => sender?.login?.toLowerCase() === own)
}
