import { addressOfApi, addressOfPages, type Config } from '#platform/config'
import { type Problem, platformProblem } from '#platform/problems'
import type { Caller } from './caller.ts'

/** How browsers sign in: by a cookie, which counts for a write only when a page of our own sent it. */
export interface BrowserAccess {
  readonly cookieName: string
  /** Whether the cookie travels over HTTPS only. */
  readonly isSecure: boolean
  /** The origins of our pages, such as https://ci.example.com. */
  readonly origins: readonly string[]
}

/** `__Host-`: neither a neighbouring host nor plain HTTP can set the cookie. Browsers take it over HTTPS only. */
export function browserAccessOf(config: Config): BrowserAccess {
  const addresses = [addressOfApi(config), addressOfPages(config)]
  const isSecure = addressOfApi(config).startsWith('https:')
  return {
    cookieName: isSecure ? '__Host-session' : 'session',
    isSecure,
    origins: [...new Set(addresses.map((address) => new URL(address).origin))],
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Throws cross_site (403) unless a page of our own sent the request. Browsers say so in `Sec-Fetch-Site`, which no page
 * can forge. They leave it out on plain HTTP beyond loopback; there `Origin` decides.
 */
export function requireOwnPage(headers: Headers, { origins }: BrowserAccess): void {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin') return
  const { origin } = headers
  if (site === undefined && typeof origin === 'string' && origins.includes(origin)) return
  throw crossSite(origins)
}

/** The id of the user for whom the page was opened. */
const USER_HEADER = 'signalbox-user'

/**
 * Throws other_user (409) where the page was opened for somebody else than who is signed in now: all tabs of a browser
 * share one cookie, so one that was open before would show or write things in another person's name.
 */
export function requireSameUser(headers: Headers, caller: Pick<Caller, 'id'>): void {
  const expected = headers[USER_HEADER]
  if (expected === undefined || expected === caller.id) return
  throw platformProblem('other_user', 'Somebody else has signed in in this browser since. Load the page again.')
}

function crossSite(origins: readonly string[]): Problem {
  const ours = origins.join(' or ')
  return platformProblem(
    'cross_site',
    `Open the page at ${ours}, or set base_url to the address that you use. A program sends a token as "Authorization: Bearer <token>".`,
  )
}
