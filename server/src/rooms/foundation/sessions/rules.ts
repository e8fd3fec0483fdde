const DEVICE_LENGTH = 300
const SECRET_FORM = /^[A-Za-z0-9_-]{43}$/

/** Whether a cookie can be the secret of a session: 256 bits in base64url. */
export function isSecret(text: string): boolean {
  return SECRET_FORM.test(text)
}

/** What ends sessions by time. */
export interface Lifetime {
  readonly idleMs: number
  readonly maxMs: number
}

export function idleEnd(lastUsedAt: Date, { idleMs }: Lifetime): Date {
  return new Date(lastUsedAt.getTime() + idleMs)
}

export interface CookieForm {
  readonly cookieName: string
  /** Whether the cookie travels over HTTPS only. */
  readonly isSecure: boolean
}

/** The header that gives a browser the secret for so long. */
export function cookieOf({ cookieName, isSecure }: CookieForm, secret: string, maxAgeSeconds: number): string {
  return `${cookieName}=${secret}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** The header that makes a browser forget the secret. */
export function endedCookie(form: CookieForm): string {
  return cookieOf(form, '', 0)
}

/** The User-Agent as it is stored: printable, and at most 300 characters. */
export function cutUserAgent(sent: string | string[] | undefined): string {
  return [sent ?? '']
    .flat()
    .join(' ')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, DEVICE_LENGTH)
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The browser and the system for people, such as `Firefox on Linux`: a help to recognise, no proof. */
export function describeDevice(userAgent: string): string {
  const find = (table: typeof BROWSERS): string | undefined => table.find(([form]) => form.test(userAgent))?.[1]
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}
