/** Clients of the Model Context Protocol that a ready configuration is known for, by what people call them. */
export const CLIENTS = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  codex: 'Codex',
  'claude-desktop': 'Claude Desktop',
  generic: 'Other',
} as const

export type Client = keyof typeof CLIENTS

export function isClient(text: unknown): text is Client {
  return typeof text === 'string' && Object.hasOwn(CLIENTS, text)
}

/** How a client narrows what it is offered. */
export interface Narrowing {
  /** Families of tools; undefined: all. */
  readonly toolsets?: readonly string[] | undefined
  readonly readOnly?: boolean
}

export interface Endpoint extends Narrowing {
  /** Address of the control plane. */
  readonly url: string
}

export interface ClientConfig {
  /** The file that the text belongs into, as people name it. */
  readonly place: string
  readonly text: string
  /** Where the token comes from. */
  readonly token: string
}

const PATH = '/v1/mcp'
const TOKEN = 'SIGNALBOX_TOKEN'
const FROM_ENVIRONMENT = `The token stays in the environment: set ${TOKEN} where the client starts.`

/** What a client is configured with. The token itself is never in it. */
export function configOf(client: Client, endpoint: Endpoint): ClientConfig {
  const url = `${endpoint.url}${PATH}`
  const narrowing = headersOf(endpoint)
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}`, ...narrowing })
  switch (client) {
    case 'claude-code':
      return {
        place: '.mcp.json of the project',
        text: json({ mcpServers: { signalbox: { type: 'http', url, headers: bearer(`\${${TOKEN}}`) } } }),
        token: FROM_ENVIRONMENT,
      }
    case 'cursor':
      return {
        place: '.cursor/mcp.json of the project, or ~/.cursor/mcp.json',
        text: json({ mcpServers: { signalbox: { url, headers: bearer(`\${env:${TOKEN}}`) } } }),
        token: FROM_ENVIRONMENT,
      }
    case 'vscode':
      return {
        place: '.vscode/mcp.json of the project',
        text: json({
          inputs: [{ id: 'signalbox-token', type: 'promptString', description: 'Token for Signalbox', password: true }],
          servers: { signalbox: { type: 'http', url, headers: bearer('${input:signalbox-token}') } },
        }),
        token: 'The editor asks for the token once, and keeps it in its own store.',
      }
    case 'codex':
      return { place: '~/.codex/config.toml', text: toml(url, narrowing), token: FROM_ENVIRONMENT }
    case 'claude-desktop':
      return {
        place: 'claude_desktop_config.json, which Settings > Developer opens',
        text: json({ mcpServers: { signalbox: { command: 'signalbox', args: bridgeWords(endpoint) } } }),
        token: 'The bridge takes the token of `signalbox login`: sign in once on this machine.',
      }
    case 'generic':
      return {
        place: 'whatever your client reads',
        text: json({ url, transport: 'streamable-http', headers: bearer(`\${${TOKEN}}`) }),
        token: `${FROM_ENVIRONMENT} A client that knows stdio alone runs \`signalbox ${bridgeWords(endpoint).join(' ')}\`.`,
      }
    default:
      return client satisfies never
  }
}

/** The address of the control plane whose endpoint this is. */
export function siteOf(endpoint: string): string {
  return endpoint.endsWith(PATH) ? endpoint.slice(0, -PATH.length) : endpoint
}

/** The headers by which a client narrows what it is offered. */
export function headersOf({ toolsets, readOnly = false }: Narrowing): Readonly<Record<string, string>> {
  return {
    ...(toolsets === undefined ? {} : { 'X-MCP-Toolsets': toolsets.join(',') }),
    ...(readOnly ? { 'X-MCP-Readonly': 'true' } : {}),
  }
}

function bridgeWords({ url, toolsets, readOnly = false }: Endpoint): readonly string[] {
  return [
    'mcp',
    'serve',
    '--url',
    url,
    ...(toolsets === undefined ? [] : ['--toolsets', toolsets.join(',')]),
    ...(readOnly ? ['--read-only'] : []),
  ]
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2)
}

function toml(url: string, narrowing: Readonly<Record<string, string>>): string {
  const headers = Object.entries(narrowing).map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`)
  return [
    '[mcp_servers.signalbox]',
    `url = ${JSON.stringify(url)}`,
    `bearer_token_env_var = ${JSON.stringify(TOKEN)}`,
    ...(headers.length === 0 ? [] : [`http_headers = { ${headers.join(', ')} }`]),
  ].join('\n')
}
