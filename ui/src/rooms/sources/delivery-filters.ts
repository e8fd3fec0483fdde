import { listCopy } from '../../components/list-copy.ts'
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

/** The list as a path of the API and as words of the command line, which names a source or a team. */
export function copyOfDeliveries(
  teamId: string | undefined,
  { source, result, event_type: eventType, repository, since, until }: DeliveryFilters,
): ReturnType<typeof listCopy> {
  const copied = listCopy(
    '/v1/deliveries',
    ['source', 'deliveries', ...(source === undefined ? [] : [source])],
    [
      // A source is of one team already.
      ['teamId', '--team', source === undefined ? teamId : undefined],
      ['result', '--result', result],
      ['event_type', '--event-type', eventType],
      ['repository', '--repository', repository],
      ['since', '--since', since],
      ['until', '--until', until],
    ],
  )
  if (source === undefined) return copied
  return {
    ...copied,
    path: `${copied.path}${copied.path.includes('?') ? '&' : '?'}source=${encodeURIComponent(source)}`,
  }
}
