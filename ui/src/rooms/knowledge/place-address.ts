import { readTexts } from '../../shell/search-texts.ts'

/** The place that the page of a team's knowledge is asked about, as it stands in the address. */
export interface KnowledgePlace {
  readonly scope?: string
  /** Team of the pipelines that run there; left out: that of the scope. */
  readonly of?: string
}

const NAMES = ['scope', 'of'] as const

export function readPlace(search: Readonly<Record<string, unknown>>): KnowledgePlace {
  return readTexts(search, NAMES)
}

/** The past runs on which the page of an item tries it, as they stand in the address; left out: the newest of its team. */
export interface TrialAddress {
  /** By what they are chosen, as the route calls it. */
  readonly by?: string
  readonly of?: string
  /** How many. */
  readonly newest?: number
}

export function readTrialAddress(search: Readonly<Record<string, unknown>>): TrialAddress {
  const newest = Number(search['newest'])
  return { ...readTexts(search, ['by', 'of']), ...(newest > 0 ? { newest } : {}) }
}
