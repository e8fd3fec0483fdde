import { type KeyObject, sign } from 'node:crypto'

/** GitHub's own advice against clocks that differ by seconds. */
const ISSUED_BEFORE_S = 60
/** GitHub takes no JWT that lives longer, counted from `iat` on. */
const LIFETIME_S = 600

/** A JWT that proves the app for nine minutes. `now`: milliseconds since 1970, by GitHub's clock. */
export function signJwt(appId: string, key: KeyObject, now: number): string {
  const iat = Math.floor(now / 1000) - ISSUED_BEFORE_S
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat, exp: iat + LIFETIME_S, iss: appId })}`
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`
}

function encode(part: Readonly<Record<string, string | number>>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
