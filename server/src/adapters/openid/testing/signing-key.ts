import { generateKeyPairSync, sign } from 'node:crypto'

/** A key of a provider, and the id tokens that it signs, honest or not. */
export interface SigningKey {
  readonly privateJwk: object
  /** `header` replaces the usual one in part. */
  sign(claims: object, header?: Readonly<Record<string, unknown>>): string
}

export function makeSigningKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateJwk: { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' },
    sign(claims, header = {}) {
      const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid, ...header })}.${encode(claims)}`
      return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}

/** The claims of a token, unproved. */
export function readClaims(token: unknown): Readonly<Record<string, unknown>> {
  const claims: unknown = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString('utf8'))
  return typeof claims === 'object' && claims !== null ? { ...claims } : {}
}

export function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
