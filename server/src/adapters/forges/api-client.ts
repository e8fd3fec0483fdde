import type { ForgeAnswer, ForgeConnection } from './port.ts'

/** The parts that all calls of one connection share. */
export interface CallBase {
  /** The API's own address, such as https://api.github.com. */
  readonly apiUrl: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * One call of a provider's API; without `apiUrl`, at the connection's own address. `path` begins with a slash and holds
 * encoded segments only.
 */
export interface ForgeCall extends Partial<CallBase> {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Failure statuses whose answers the caller reads itself. */
  readonly expect?: readonly number[]
}

export interface ForgeReply {
  readonly status: number
  /** The JSON that came, null for an empty body. Not checked: read it with the readers of payload-fields. */
  readonly body: unknown
  readonly headers: Headers
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 8 * 1024 * 1024
const MAX_PAGES = 100

/** Where a token may travel without encryption: nowhere but on this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Calls a provider, at most 10 s and 8 MiB. Redirects are not followed: the provider's answer must not choose where a
 * token goes. Never throws; 404 and 410 are `not_found`, and no reason holds a token, an address or a body.
 */
export async function callForge(connection: ForgeConnection, call: ForgeCall): Promise<ForgeAnswer<ForgeReply>> {
  const url = readUrl(connection, call)
  const headers = readHeaders(call)
  if (url === undefined) return failed("The provider's address is no http or https address.", false)
  if (headers === undefined) return failed('The credential holds characters that no header can carry.', false)
  if (connection.token !== undefined && url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return failed('A credential is not sent over plain http; set base_url to an https address.', false)
  }
  let response: Response
  try {
    response = await fetch(url, {
      method: call.method ?? 'GET',
      headers,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      redirect: 'manual',
      signal: AbortSignal.any([connection.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
  } catch (error) {
    return failed(`The provider could not be reached (${codeOf(error)}).`, true)
  }
  if (response.ok || call.expect?.includes(response.status)) return readReply(response)
  await response.body?.cancel().catch(() => undefined)
  return refusal(response)
}

/** The segments that URL takes for `.` or `..`: they would leave the path that a name was put into. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?=[/\\?#]|$)/i

/**
 * Undefined where the address must not be called: a path that reaches into the host or out of the API, or a password.
 */
function readUrl({ baseUrl }: ForgeConnection, { apiUrl, path }: ForgeCall): URL | undefined {
  const base = apiUrl ?? baseUrl
  if (!path.startsWith('/') || DOT_SEGMENT.test(path)) return undefined
  if (!URL.canParse(base) || !URL.canParse(`${base}${path}`)) return undefined
  const url = new URL(`${base}${path}`)
  if (!/^https?:$/.test(url.protocol) || url.origin !== new URL(base).origin) return undefined
  return url.username === '' && url.password === '' ? url : undefined
}

function readHeaders({ headers, body }: ForgeCall): Headers | undefined {
  try {
    return new Headers({
      accept: 'application/json',
      'user-agent': 'signalbox',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    })
  } catch {
    // The error's message quotes the value, which may be a token.
    return undefined
  }
}

/**
 * All pages of a list, at most 100. `readPage` gives the items of a page; undefined: the body is no such list. `next` finds
 * the path of the following page in a reply.
 */
export async function callPages<T>(
  connection: ForgeConnection,
  first: ForgeCall,
  readPage: (body: unknown) => readonly T[] | undefined,
  next: (reply: ForgeReply, page: number) => string | undefined,
): Promise<ForgeAnswer<readonly T[]>> {
  const items: T[] = []
  let path: string | undefined = first.path
  for (let number = 1; path !== undefined && number <= MAX_PAGES; number += 1) {
    const answer: ForgeAnswer<ForgeReply> = await callForge(connection, { ...first, path })
    if (answer.outcome !== 'found') return answer
    const page = readPage(answer.value.body)
    if (page === undefined) return undocumented()
    items.push(...page)
    path = next(answer.value, number)
  }
  return { outcome: 'found', value: items }
}

/** The answer to JSON that is not what the provider documents. */
export function undocumented(): ForgeAnswer<never> {
  return failed('The provider answered something that it does not document.', false)
}

/** The path of `rel="next"` in a Link header; undefined where there is none or where it leads to another host. */
export function nextByLink(reply: ForgeReply, apiUrl: string): string | undefined {
  const link = /<([^<>]+)>\s*;\s*rel="?next"?/.exec(reply.headers.get('link') ?? '')?.[1]
  return link === undefined ? undefined : pathBelow(link, apiUrl)
}

/** The path of an address that a provider gave, as `ForgeCall` takes it; undefined where it leads to another host. */
export function pathBelow(link: string, apiUrl: string): string | undefined {
  if (!URL.canParse(link, apiUrl)) return undefined
  const url = new URL(link, apiUrl)
  const api = new URL(apiUrl)
  if (url.origin !== api.origin) return undefined
  const prefix = api.pathname === '/' ? '' : api.pathname
  return url.pathname.startsWith(`${prefix}/`) ? `${url.pathname.slice(prefix.length)}${url.search}` : undefined
}

/** A full name as path segments of an API: each encoded, joined by "/". */
export function encodeSegments(fullName: string): string {
  return fullName.split('/').map(encodeURIComponent).join('/')
}

async function readReply(response: Response): Promise<ForgeAnswer<ForgeReply>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return failed('The provider answered more than 8 MiB.', false)
      chunks.push(chunk)
    }
    const text = Buffer.concat(chunks).toString('utf8')
    const body: unknown = text === '' ? null : JSON.parse(text)
    return { outcome: 'found', value: { status: response.status, body, headers: response.headers } }
  } catch (error) {
    if (error instanceof SyntaxError) return failed('The provider answered something that is not JSON.', false)
    return failed(`The provider's answer broke off (${codeOf(error)}).`, true)
  }
}

function refusal({ status, headers }: Response): ForgeAnswer<ForgeReply> {
  if (status === 404 || status === 410) return { outcome: 'not_found' }
  const slowDown = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'
  const limited = status === 429 || (status === 403 && slowDown)
  if (limited) return failed(`The provider limits the rate of calls${pauseOf(headers)}.`, true)
  if (status === 401 || status === 403) return failed(`The provider refused the credential (${status}).`, false)
  if (status >= 300 && status < 400) {
    return failed(
      `The provider redirects (${status}): the repository was renamed, or base_url is not its address.`,
      false,
    )
  }
  return failed(`The provider answered ${status}.`, status === 408 || status >= 500)
}

/** The pause that the provider asks for in seconds; any other form, such as a date, is ignored. */
function pauseOf(headers: Headers): string {
  const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0]
  return seconds === undefined ? '' : `; ask again in ${Number(seconds)} s`
}

function failed(reason: string, retry: boolean): ForgeAnswer<never> {
  return { outcome: 'failed', reason, retry }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code)
  return error.name
}
