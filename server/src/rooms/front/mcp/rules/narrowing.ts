/** What a request leaves out by itself: it can only narrow. */
export interface Narrowing {
  /** Families by name; undefined: all. */
  readonly families: ReadonlySet<string> | undefined
  /** No plans, so no writes. */
  readonly isReadOnly: boolean
}

export const NOT_NARROWED: Narrowing = { families: undefined, isReadOnly: false }

/** The headers `X-MCP-Toolsets: runs,logs` and `X-MCP-Readonly: true`. */
export function readNarrowing(headers: Readonly<Record<string, string | string[] | undefined>>): Narrowing {
  const toolsets = [headers['x-mcp-toolsets']].flat()[0]?.trim()
  const named = toolsets?.split(',').map((name) => name.trim().toLowerCase())
  return {
    families: named === undefined || named.includes('all') ? undefined : new Set(named),
    isReadOnly: /^(?:true|1)$/i.test([headers['x-mcp-readonly']].flat()[0]?.trim() ?? ''),
  }
}
