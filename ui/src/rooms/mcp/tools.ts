import type { tokenRoutes } from '@signalbox/contracts/access/routes'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { mcpRoutes } from '@signalbox/contracts/mcp/routes'
import { countOf } from '../../components/count-of.ts'
import { limitsInWords } from '../../components/token-limits.ts'

export type McpTools = SuccessOf<typeof mcpRoutes.listMcpTools>
export type McpTool = McpTools['tools'][number]
export type Token = SuccessOf<typeof tokenRoutes.listTokens>[number]

interface ToolFamily {
  readonly name: string
  readonly tools: readonly McpTool[]
}

/** The tools by family, each in the order of the server. */
export function familiesOf(tools: readonly McpTool[]): readonly ToolFamily[] {
  return [...Map.groupBy(tools, ({ family }) => family)].map(([name, own]) => ({ name, tools: own }))
}

/** What a tool can do, as a status that has a look. */
export function effectOf({ does }: Pick<McpTool, 'does'>): string {
  return `tool_${does}`
}

/** Where a tool can be used. */
export function placesWords(places: readonly string[]): string {
  if (places.includes('/')) return 'everywhere'
  if (places.length === 0) return 'at teams that you may not see'
  return places.length > 3 ? `${places.slice(0, 3).join(', ')} and ${places.length - 3} more` : places.join(', ')
}

/** The limits of a token, in a sentence. */
export function limitsWords(token: Parameters<typeof limitsInWords>[0]): string {
  const words = limitsInWords(token)
  return words === 'nothing' ? 'The token has no limits.' : `The token is limited to ${words}.`
}

/** How many tools are offered, and how many are not. */
export function countsOf({ tools, hidden }: Pick<McpTools, 'tools' | 'hidden'>): string {
  const missing = hidden.reduce((sum, each) => sum + each.tools.length, 0)
  const offered = `${countOf(tools.length, 'tool is', 'tools are')} offered`
  return missing === 0
    ? `${offered}; none is hidden.`
    : `${offered}, ${missing} ${missing === 1 ? 'is' : 'are'} hidden.`
}

/** The name of a token in a list of several owners'. */
export function tokenWords({ name, last_four, owner }: Pick<Token, 'name' | 'last_four' | 'owner'>): string {
  const whose = owner?.startsWith('service_account:') ? ` of ${owner.slice('service_account:'.length)}` : ''
  return `${name}${whose} (…${last_four})`
}
