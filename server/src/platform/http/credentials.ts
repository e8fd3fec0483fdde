import type { IncomingHttpHeaders } from 'node:http'

/** How a request says who sends it. */
export type Credentials =
  | { readonly kind: 'bearer'; readonly authorization: string }
  | {
      readonly kind: 'session'
      readonly secret: string
      /** The page asks by itself, not its person: it lengthens no session. */
      readonly isBackground?: boolean
    }

/**
 * The credentials of a request; undefined where there are none. A header Authorization counts alone: no cookie is read
 * beside it. So no cross-site check is needed for a request with that header, which no foreign page can send.
 */
export function readCredentials(headers: IncomingHttpHeaders, cookieName: string | undefined): Credentials | undefined {
  const { authorization } = headers
  if (authorization !== undefined) return { kind: 'bearer', authorization }
  const secret = cookieName === undefined ? undefined : readCookie(headers.cookie, cookieName)
  return secret === undefined ? undefined : { kind: 'session', secret, isBackground: isBackground(headers) }
}

/** Whether the page that sent a request says that it did so by itself. */
const BACKGROUND_HEADER = 'signalbox-background'

/** An EventSource can send no header, and is opened again whenever a proxy ended it: a stream is never a use. */
function isBackground(headers: IncomingHttpHeaders): boolean {
  return headers[BACKGROUND_HEADER] === 'true' || (headers.accept ?? '').includes('text/event-stream')
}

/**
 * The value of a cookie; undefined where it is absent or came more than once. A neighbouring host or path can set a
 * second cookie of the same name: nobody can tell which of them is ours.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((part) => {
    const equals = part.indexOf('=')
    return equals >= 0 && part.slice(0, equals).trim() === name ? [part.slice(equals + 1).trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

/** Equal for equal credentials. */
export function keyOf(credentials: Credentials): string {
  return credentials.kind === 'bearer' ? `bearer ${credentials.authorization}` : `session ${credentials.secret}`
}
