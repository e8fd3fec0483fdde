import { readTexts } from '../../shell/search-texts.ts'

/** "Why may this subject do that here?", as it stands in the address. */
export interface AccessQuestion {
  /** user:<id>, group:<id> or service_account:<id>. */
  readonly subject?: string
  readonly permission?: string
}

const NAMES = ['subject', 'permission'] as const

export function readAccessQuestion(search: Readonly<Record<string, unknown>>): AccessQuestion {
  return readTexts(search, NAMES)
}
