import { readTexts } from '../../shell/search-texts.ts'

/** The filters of the list of deliveries, as they stand in the address. */
export interface DeliveryFilters {
  readonly source?: string
  readonly result?: 'accepted' | 'ignored' | 'duplicate' | 'unprocessable' | 'rejected'
  readonly event_type?: string
  readonly repository?: string
  readonly since?: string
  readonly until?: string
}

export const RESULTS = ['accepted', 'ignored', 'duplicate', 'unprocessable', 'rejected'] as const
const TEXTS = ['source', 'event_type', 'repository', 'since', 'until'] as const

/** Reads the address; what is no filter is left out. */
export function readDeliveryFilters(search: Readonly<Record<string, unknown>>): DeliveryFilters {
  const result = RESULTS.find((word) => word === search['result'])
  return { ...readTexts(search, TEXTS), ...(result ? { result } : {}) }
}
