import { type Client, isClient } from '@signalbox/contracts/mcp/clients'
import { readTexts } from '../../shell/search-texts.ts'

/** What the page shows, as it stands in the address. */
interface McpAddress {
  /** The client whose configuration is shown; default: the first. */
  readonly client?: Client
  /** The token whose tools and calls are shown; default: what the person may do without limits. */
  readonly token?: string
}

export function readMcpAddress(search: Readonly<Record<string, unknown>>): McpAddress {
  const { client } = search
  return { ...readTexts(search, ['token'] as const), ...(isClient(client) ? { client } : {}) }
}
