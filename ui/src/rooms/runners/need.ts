import { readTexts } from '../../shell/search-texts.ts'

/** What is asked about in "who could take this?", as it stands in the address. */
export interface Need {
  readonly scope?: string
  readonly profile?: string
  /** Separated by commas. */
  readonly labels?: string
}

const NAMES = ['scope', 'profile', 'labels'] as const

export function readNeed(search: Readonly<Record<string, unknown>>): Need {
  return readTexts(search, NAMES)
}
