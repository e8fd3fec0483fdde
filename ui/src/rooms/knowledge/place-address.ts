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
