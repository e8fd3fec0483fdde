import type { Event } from '@signalbox/contracts/event'

/** The lists of a push. Lists make up most of a payload, and most triggers never look at them. */
export type Changes = Pick<Event, 'commits' | 'changed_paths' | 'changed_paths_complete'>

const UNREAD = Symbol('unread changes')
const FIELDS = ['commits', 'changed_paths', 'changed_paths_complete'] as const satisfies (keyof Changes)[]
const OWN_FIELD = { enumerable: true, configurable: true }

type WithUnread = Event & { readonly [UNREAD]: () => Changes }

/**
 * One object for all events: V8 keeps getters in the old generation, and an event with its own getters would stay alive
 * for long.
 */
const WHEN_ASKED = Object.fromEntries(FIELDS.map((field) => [field, whenAsked(field)]))

function whenAsked(field: keyof Changes) {
  return {
    ...OWN_FIELD,
    get(this: WithUnread) {
      const changes = this[UNREAD]()
      for (const each of FIELDS) {
        Object.defineProperty(this, each, { ...OWN_FIELD, writable: true, value: changes[each] })
      }
      return changes[field]
    },
  }
}

/** The event, with changes that are read when somebody asks for one of them, and then once. */
export function changesWhenAsked(event: Event, read: () => Changes): Event {
  Object.defineProperty(event, UNREAD, { value: read })
  return Object.defineProperties(event, WHEN_ASKED)
}
