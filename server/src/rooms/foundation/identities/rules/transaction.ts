import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

/** Between the way to the provider and the way back. The browser keeps it, sealed. */
export const Transaction = Type.Object(
  {
    provider: Type.String(),
    state: Type.String({ minLength: 32 }),
    nonce: Type.String({ minLength: 32 }),
    verifier: Type.String({ minLength: 43 }),
    /** The place in the page to go on to. */
    wanted: Type.String(),
    /** Milliseconds since 1970. */
    expiresAt: Type.Integer(),
    /** The account is linked to this user; without it somebody signs in. */
    link: Type.Optional(Type.Object({ userId: Type.String(), sessionId: Type.String() })),
  },
  { additionalProperties: false },
)
export type Transaction = Static<typeof Transaction>

export const TRANSACTION_MS = 600_000

/** Undefined where the text is no transaction of this version. */
export function readTransaction(text: string): Transaction | undefined {
  const value: unknown = JSON.parse(text)
  return Value.Check(Transaction, value) ? value : undefined
}

/** `__Host-`: neither a neighbouring host nor plain HTTP can set the cookie. */
export function transactionCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-sign-in' : 'sign-in'
}

/** The header that makes a browser keep the sealed transaction as long as it lasts; an empty one is forgotten. */
export function transactionCookie(isSecure: boolean, sealed: string): string {
  const maxAge = sealed === '' ? 0 : TRANSACTION_MS / 1000
  const secure = isSecure ? '; Secure' : ''
  return `${transactionCookieName(isSecure)}=${sealed}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
}
