import { codeOf, readText } from './answer-text.ts'
import { failed, refused } from './api-failures.ts'
import { readAnswer } from './json-body.ts'
import type { RememberedList, RememberedPage } from './page-memory.ts'
import type { ForgeAnswer, ForgeConnection, ForgeFailure } from './port.ts'
import { readProviderMessage } from './provider-message.ts'

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
  /** The ETag of the answer that the caller has: an unchanged one comes as status 304 without a body. */
  readonly etag?: string | undefined
  /** Follows one redirect of a GET within the same API: a renamed repository is found by its former name. */
  readonly followsRename?: boolean
  /** A failure's reason names what the provider says, cleaned. */
  readonly quotes?: boolean
  /** The answer holds a secret, so that it must not come over plain http either. */
  readonly confidential?: boolean
}

export interface ForgeReply {
  readonly status: number
  /** The JSON that came, null for an empty body. Not checked: read it with the readers of payload-fields. */
  readonly body: unknown
  readonly headers: Headers
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 8 * 1024 * 1024
/** Of an answer that refuses, whose message is all that counts. */
const MAX_REFUSAL_BYTES = 64 * 1024
const MAX_PAGES = 100
/** A page may hold as many as its 8 MiB do. */
const MAX_ITEMS = 20_000

/** Where a token may travel without encryption: nowhere but on this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Calls a provider, at most 10 s and 8 MiB. No redirect is followed to another address: the provider's answer must not
 * choose where a token goes. Never throws; 404 and 410 are `not_found`, and no reason holds a token, an address or a body.
 */
export async function callForge(connection: ForgeConnection, call: ForgeCall): Promise<ForgeAnswer<ForgeReply>> {
  const first = await send(connection, call)
  const path = first instanceof Response ? renamedPath(connection, call, first) : undefined
  if (!(first instanceof Response)) return first
  if (path === undefined) return receive(connection, call, first)
  await discard(first)
  const second = await send(connection, { ...call, path })
  return second instanceof Response ? receive(connection, call, second) : second
}

async function send(connection: ForgeConnection, call: ForgeCall): Promise<Response | ForgeFailure> {
  const url = readUrl(connection, call)
  const headers = readHeaders(call)
  if (url === undefined) return failed("The provider's address is no http or https address.", false)
  if (headers === undefined) return failed('The credential holds characters that no header can carry.', false)
  const secret = connection.token !== undefined || call.confidential === true
  if (secret && url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return failed('A credential is not sent over plain http; set base_url to an https address.', false)
  }
  try {
    return await fetch(url, {
      method: call.method ?? 'GET',
      headers,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      redirect: 'manual',
      signal: AbortSignal.any([connection.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
  } catch (error) {
    return failed(`The provider could not be reached (${codeOf(error)}).`, true, { cause: 'unreachable' })
  }
}

/** Undefined where the answer is no redirect to follow. */
function renamedPath({ baseUrl }: ForgeConnection, call: ForgeCall, { status, headers }: Response): string | undefined {
  if (call.followsRename !== true || (call.method ?? 'GET') !== 'GET' || (status !== 301 && status !== 308))
    return undefined
  return pathBelow(headers.get('location') ?? '', call.apiUrl ?? baseUrl)
}

async function receive(
  connection: ForgeConnection,
  call: ForgeCall,
  response: Response,
): Promise<ForgeAnswer<ForgeReply>> {
  const { status, headers } = response
  if (response.ok || call.expect?.includes(status)) return readReply(response)
  const unchanged = status === 304 && call.etag !== undefined
  // What a 403 says tells a suspended installation and a rate limit from a missing right.
  const told = !unchanged && status !== 404 && status !== 410 && (status === 403 || call.quotes === true)
  const body = told ? await readText(response, MAX_REFUSAL_BYTES) : undefined
  if (!told) await discard(response)
  if (unchanged) return { outcome: 'found', value: { status, body: null, headers } }
  if (status === 404 || status === 410) return { outcome: 'not_found' }
  const parsed = body?.outcome === 'text' ? readAnswer(body.text) : undefined
  const message = parsed?.ok ? readProviderMessage(parsed.value, secretsOf(connection, call)) : undefined
  return refused({ status, headers, message, quoted: call.quotes === true })
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined)
}

/** What a provider could send back of a call. */
function secretsOf({ token }: ForgeConnection, { headers }: ForgeCall): readonly string[] {
  const sent = headers?.['authorization']
  return [token, sent].flatMap((value) => (value === undefined ? [] : [value, value.slice(value.search(/[ :]/) + 1)]))
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

const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/

function readHeaders({ headers, body, etag }: ForgeCall): Headers | undefined {
  try {
    return new Headers({
      accept: 'application/json',
      'user-agent': 'signalbox',
      ...(etag !== undefined && ETAG.test(etag) ? { 'if-none-match': etag } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    })
  } catch {
    // The error's message quotes the value, which may be a token.
    return undefined
  }
}

export interface ListCall<T> extends ForgeCall {
  /** Left out: every page is asked for as if for the first time. */
  readonly remembered?: RememberedList<T>
}

/**
 * All pages of a list, at most 100: the rest is left out, unless the connection wants whole lists. `readPage` gives the
 * items of a page; undefined: the body is no such list. `next` finds the path of the following page in a reply.
 */
export function callPages<T>(
  connection: ForgeConnection,
  { remembered, ...first }: ListCall<T>,
  readPage: (body: unknown) => readonly T[] | undefined,
  next: (reply: ForgeReply, page: number) => string | undefined,
): Promise<ForgeAnswer<readonly T[]>> {
  const memory = remembered?.memory
  // As it was when it was asked for: the memory may forget it meanwhile.
  let known: RememberedPage<T> | undefined
  return walkPages({
    first: first.path,
    ask(path) {
      known = memory?.find(path)
      return callForge(connection, { ...first, path, etag: known?.etag })
    },
    read: ({ status, body }) => (status === 304 ? known?.items : readPage(body)),
    next(reply, { number, path, items }) {
      const told = next(reply, number)
      // An unchanged page may come without the headers that tell of a next one.
      if (reply.status === 304) return told ?? known?.next
      const etag = reply.headers.get('etag')
      if (remembered && etag !== null && (told !== undefined || items.length < remembered.size)) {
        memory?.keep(path, { etag, items, next: told })
      }
      return told
    },
    most: { pages: MAX_PAGES, beyond: connection.wholeLists === true ? 'fails' : 'is left out' },
  })
}

/** A page of a list that was asked for. */
export interface WalkedPage<T> {
  /** From 1 on. */
  readonly number: number
  readonly path: string
  readonly items: readonly T[]
}

export interface PageWalk<T> {
  readonly first: string
  ask(path: string): Promise<ForgeAnswer<ForgeReply>>
  /** Undefined: the reply is no such list. */
  read(reply: ForgeReply, path: string): readonly T[] | undefined
  next(reply: ForgeReply, page: WalkedPage<T>): string | undefined
  readonly most: { readonly pages: number; readonly beyond: 'is left out' | 'fails' }
}

/** The items of all pages. A provider whose pages lead back to an earlier one, or never end, cannot hold anybody. */
export async function walkPages<T>(walk: PageWalk<T>): Promise<ForgeAnswer<readonly T[]>> {
  const items: T[] = []
  const asked = new Set<string>()
  let path: string | undefined = walk.first
  for (let number = 1; path !== undefined; number += 1) {
    if (number > walk.most.pages) {
      if (walk.most.beyond === 'is left out') break
      return failed(`The provider's list has more than ${walk.most.pages} pages.`, false, { cause: 'invalid' })
    }
    if (asked.has(path))
      return failed("The provider's list leads back to an earlier page.", false, { cause: 'invalid' })
    asked.add(path)
    const answer: ForgeAnswer<ForgeReply> = await walk.ask(path)
    if (answer.outcome !== 'found') return answer
    const page = walk.read(answer.value, path)
    if (page === undefined) return undocumented()
    for (const item of page) items.push(item)
    if (items.length > MAX_ITEMS) {
      if (walk.most.beyond === 'is left out') break
      return failed(`The provider's list has more than ${MAX_ITEMS} items.`, false, { cause: 'invalid' })
    }
    path = walk.next(answer.value, { number, path, items: page })
  }
  return { outcome: 'found', value: items }
}

/** The answer to JSON that is not what the provider documents. */
export function undocumented(): ForgeAnswer<never> {
  return failed('The provider answered something that it does not document.', false, { cause: 'invalid' })
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
  const { status, headers } = response
  const invalid = { cause: 'invalid', status } as const
  const read = await readText(response, MAX_BYTES)
  if (read.outcome === 'too_long') return failed('The provider answered more than 8 MiB.', false, invalid)
  if (read.outcome === 'broken') {
    return failed(`The provider's answer broke off (${read.code}).`, true, { cause: 'unreachable', status })
  }
  if (read.text === '') return { outcome: 'found', value: { status, body: null, headers } }
  const parsed = readAnswer(read.text)
  if (!parsed.ok) return failed('The provider answered something that is not JSON.', false, invalid)
  return { outcome: 'found', value: { status, body: parsed.value, headers } }
}
