import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import type { AppConnection } from '../../app-port.ts'

/** A key as GitHub gives it. */
export function aKey(bits = 2048): string {
  return generateKeyPairSync('rsa', { modulusLength: bits })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString()
}

interface ReadJwt {
  readonly header: { readonly alg: string; readonly typ: string }
  readonly claims: { readonly iat: number; readonly exp: number; readonly iss: string }
}

/** What an `Authorization: Bearer` proves; undefined where the key did not sign it. */
export function readJwt(authorization: string | undefined, privateKey: string | KeyObject): ReadJwt | undefined {
  const [header = '', claims = '', signature = ''] = (authorization ?? '').replace('Bearer ', '').split('.')
  const signed = Buffer.from(`${header}.${claims}`)
  const key = createPublicKey(privateKey)
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return undefined
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  return { header: read(header), claims: read(claims) }
}

export function assertJwt(authorization: string | undefined, privateKey: string): ReadJwt {
  const jwt = readJwt(authorization, privateKey)
  assert.ok(jwt, 'the key signed it')
  return jwt
}

/** The app 7 with these keys, at a provider. */
export function anApp(baseUrl: string, now: number, privateKeys: readonly string[]): AppConnection {
  return { baseUrl, app: { appId: '7', privateKeys, token: undefined }, now, signal: new AbortController().signal }
}
