import { entriesOf } from '@signalbox/contracts/http/requests'

/** What the bridge reads of one message of JSON-RPC; whatever else it holds goes on as it is. */
export interface Message {
  /** Of a request; a notification has none, and neither has an answer of the client. */
  readonly id: string | number | undefined
  readonly method: string | undefined
  readonly params: ReadonlyMap<string, unknown>
}

/** The messages of a line: one, or several in an array. Undefined where it is no JSON of that form. */
export function readMessages(line: string): readonly Message[] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return undefined
  }
  const items: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  if (items.length === 0 || items.some((item) => typeof item !== 'object' || item === null)) return undefined
  return items.map(readMessage)
}

function readMessage(item: unknown): Message {
  const fields = fieldsOf(item)
  const [id, method] = [fields.get('id'), fields.get('method')]
  return {
    id: (typeof id === 'string' || typeof id === 'number') && typeof method === 'string' ? id : undefined,
    method: typeof method === 'string' ? method : undefined,
    params: fieldsOf(fields.get('params')),
  }
}

export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(entriesOf(value))
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/**
 * The headers that a message needs over HTTP. Of the revision 2026-07-28 a message names its version itself; older ones
 * agreed on `negotiated` when they opened.
 */
export function headersOf(messages: readonly Message[], negotiated: string | undefined): Record<string, string> {
  const [first] = messages
  const own = fieldsOf(first?.params.get('_meta')).get(VERSION)
  if (typeof own !== 'string') return negotiated === undefined ? {} : { 'mcp-protocol-version': negotiated }
  const name = first?.params.get('name') ?? first?.params.get('uri')
  return {
    'mcp-protocol-version': own,
    'mcp-method': asHeader(first?.method ?? ''),
    ...(typeof name === 'string' ? { 'mcp-name': asHeader(name) } : {}),
  }
}

/** As the specification says for what a header cannot hold. */
function asHeader(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** An answer that the bridge gives itself. */
export function errorOf(id: string | number | null, code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } })
}
