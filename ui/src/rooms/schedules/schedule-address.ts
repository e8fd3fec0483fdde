export const TABS = ['history', 'document', 'backfills'] as const
export type ScheduleTab = (typeof TABS)[number]

/** What the page of a schedule shows, as it stands in the address. */
export interface ScheduleAddress {
  readonly tab?: ScheduleTab
  /** The instant that is asked about. */
  readonly at?: string
}

export function readScheduleAddress(search: Readonly<Record<string, unknown>>): ScheduleAddress {
  const tab = TABS.find((name) => name === search['tab'])
  const at = search['at']
  return { ...(tab ? { tab } : {}), ...(typeof at === 'string' && at !== '' ? { at } : {}) }
}
