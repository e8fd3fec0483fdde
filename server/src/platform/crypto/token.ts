import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { sha256 } from './digest.ts'

/**
 * Tokens: `sbx<kind>_` + 30 random base62 digits (178 bits) + 6 base62 digits of the CRC-32 of what stands before.
 * The prefix lets scanners recognise one in a commit; the checksum rejects a mistyped one without a query.
 */
export type TokenKind = 'user' | 'service_account' | 'runner' | 'bootstrap' | 'external_trigger'

export interface NewToken {
  /** Shown once, stored nowhere. */
  readonly token: string
  readonly sha256: Buffer
  readonly lastFour: string
}

const LETTERS: Readonly<Record<TokenKind, string>> = {
  user: 'u',
  service_account: 's',
  runner: 'r',
  bootstrap: 'b',
  external_trigger: 'e',
}
const KINDS: Readonly<Record<string, TokenKind>> = {
  u: 'user',
  s: 'service_account',
  r: 'runner',
  b: 'bootstrap',
  e: 'external_trigger',
}
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 30
const CHECK_DIGITS = 6
const FORM = /^sbx([usrbe])_[0-9A-Za-z]{36}$/

export function createToken(kind: TokenKind): NewToken {
  const body = `sbx${LETTERS[kind]}_${randomDigits(RANDOM_DIGITS)}`
  const token = body + checkDigits(body)
  return { token, sha256: sha256(token), lastFour: token.slice(-4) }
}

/** The kind that a token claims to be, when its form and checksum are right; undefined for anything else. */
export function readTokenKind(token: string): TokenKind | undefined {
  const letter = FORM.exec(token)?.[1]
  if (letter === undefined) return undefined
  const body = token.slice(0, -CHECK_DIGITS)
  return checkDigits(body) === token.slice(-CHECK_DIGITS) ? KINDS[letter] : undefined
}

function checkDigits(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < CHECK_DIGITS; i++) {
    digits = DIGITS.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Bytes of 248 and more are thrown away: keeping them would favour the first digits. */
function randomDigits(count: number): string {
  let digits = ''
  while (digits.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < 248 && digits.length < count) digits += DIGITS.charAt(byte % 62)
    }
  }
  return digits
}
