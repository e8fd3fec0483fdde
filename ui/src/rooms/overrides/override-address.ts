import { EVENT_KINDS, type EventKind } from '@signalbox/contracts/event/words'

/** The event that the page of an override asks about, as it stands in the address. */
export interface OverrideAddress {
  readonly ref?: string
  readonly event?: EventKind
}

export function readOverrideAddress(search: Readonly<Record<string, unknown>>): OverrideAddress {
  const event = EVENT_KINDS.find((kind) => kind === search['event'])
  const ref = search['ref']
  return { ...(typeof ref === 'string' && ref !== '' ? { ref } : {}), ...(event ? { event } : {}) }
}
