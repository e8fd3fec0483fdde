import { readTexts } from '../../shell/search-texts.ts'

/** The filters of the list of records, as they stand in the address. */
export interface AuditFilters {
  /** A kind, such as `secret`, or one object, `secret:<id>`. */
  readonly resource?: string
  /** Id of the actor. */
  readonly subject?: string
  /** One, or all that begin so: `token.*`. */
  readonly action?: string
  /** Id of the token of the request. */
  readonly token?: string
  /** Calls of this tool of agents. */
  readonly tool?: string
  /** Calls of tools by this client. */
  readonly client?: string
  /** RFC 3339. */
  readonly since?: string
  /** The record that is shown whole. */
  readonly record?: string
}

const NAMES = ['resource', 'subject', 'action', 'token', 'tool', 'client', 'since', 'record'] as const

/** Reads the address; what is no filter is left out. */
export function readAuditFilters(search: Readonly<Record<string, unknown>>): AuditFilters {
  return readTexts(search, NAMES)
}
