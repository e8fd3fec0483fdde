import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify as verifyEd25519 } from 'node:crypto'
import type { Verification, VerificationRequest, WebhookHeaders } from './port.ts'

export const SIGNATURE_HEADER = 'webhook-signature'
/** All that verifying looks at, in lower case. */
export const STANDARD_WEBHOOKS_HEADERS = ['webhook-id', 'webhook-timestamp', SIGNATURE_HEADER] as const

/** How far `webhook-timestamp` may be from the time of receipt, either way. */
const TOLERANCE_SECONDS = 300

/**
 * No full stop, which separates what is signed. No brace either: no signed JSON object can then pass for an id with a
 * time and a body behind it. A signature of a bare body over the same secret is therefore never such a signature.
 */
const ID = /^[\w:~@+=/-]{1,200}$/
const TIMESTAMP = /^\d{1,12}$/

const MAX_SIGNATURES = 20
/** Any version: an unknown version may stand beside a known one. */
const SIGNATURE = /^[a-z0-9]{1,8},[A-Za-z0-9+/]+={0,2}$/
const V1 = /^v1,([A-Za-z0-9+/]{43}=)$/
const V1A = /^v1a,([A-Za-z0-9+/]{86}==)$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

/** The use of a secret, by its form. */
type Key =
  | { readonly kind: 'hmac'; readonly bytes: Buffer; readonly note: string }
  | { readonly kind: 'ed25519'; readonly publicKey: KeyObject }
  | { readonly kind: 'unusable'; readonly reason: string }

/**
 * Verifies `webhook-signature` of Standard Webhooks 1.0.0 over `{webhook-id}.{webhook-timestamp}.{raw body}` against each
 * live secret. The secret's form says how, and nothing in the delivery does:
 *
 * - `whsec_<base64>`: HMAC-SHA-256 with the decoded bytes, signatures `v1`;
 * - `whpk_<base64>`: an Ed25519 public key, signatures `v1a`;
 * - any other text: HMAC-SHA-256 with its own bytes, signatures `v1`.
 *
 * One matching signature of the list is enough. A time more than 5 minutes from `receivedAt`, a header that came twice, an
 * empty list and an empty secret never match. Without a `webhook-signature` it is missing, whatever else the delivery has.
 */
export function verifyStandardWebhooks({
  headers,
  rawBody,
  secrets,
  receivedAt,
}: Pick<VerificationRequest, 'headers' | 'rawBody' | 'secrets' | 'receivedAt'>): Verification {
  if (headers[SIGNATURE_HEADER] === undefined) {
    return { outcome: 'missing', detail: 'The delivery has no webhook-signature header.' }
  }
  const signed = readSigned(headers, receivedAt)
  if (typeof signed === 'string') return { outcome: 'mismatch', detail: signed }

  const content = [signed.prefix, rawBody] as const
  let secretIndex = -1
  let fault = 'The source has no secret to verify with.'
  for (const [index, secret] of secrets.entries()) {
    if (secret.length === 0) continue
    const key = readKey(secret)
    if (key.kind === 'unusable') fault = key.reason
    else if (matches(key, content, signed.signatures) && secretIndex === -1) secretIndex = index
    else fault = `webhook-signature does not match the source's secret${key.kind === 'hmac' ? key.note : ''}.`
  }
  if (secretIndex === -1) return { outcome: 'mismatch', detail: fault }
  return { outcome: 'verified', secretIndex, detail: "webhook-signature matches the source's secret." }
}

/** A sentence where the secret is of a form that verifies no signature; else null. */
export function findSigningFault(secret: Buffer): string | null {
  const key = readKey(secret)
  return key.kind === 'unusable' ? key.reason : null
}

/** The three headers, or a sentence about their fault. */
function readSigned(headers: WebhookHeaders, receivedAt: Date) {
  const id = headers['webhook-id']
  if (typeof id !== 'string' || !ID.test(id)) return 'The delivery has no usable webhook-id header.'
  const timestamp = headers['webhook-timestamp']
  if (typeof timestamp !== 'string' || !TIMESTAMP.test(timestamp)) {
    return 'webhook-timestamp is not one number of seconds since 1970.'
  }
  if (Math.abs(receivedAt.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return "webhook-timestamp is more than 5 minutes from this server's time."
  }
  const list = headers[SIGNATURE_HEADER]
  const signatures = typeof list === 'string' ? list.split(' ') : ['']
  if (signatures.length > MAX_SIGNATURES || !signatures.every((signature) => SIGNATURE.test(signature))) {
    return 'webhook-signature is not one list of signatures such as "v1,<base64>".'
  }
  return { prefix: Buffer.from(`${id}.${timestamp}.`), signatures }
}

/** Every signature is compared, so that the time does not tell which was right. */
function matches(
  key: Exclude<Key, { kind: 'unusable' }>,
  [prefix, body]: readonly [Buffer, Buffer],
  signatures: readonly string[],
): boolean {
  let matched = false
  if (key.kind === 'hmac') {
    const expected = createHmac('sha256', key.bytes).update(prefix).update(body).digest()
    for (const given of decoded(signatures, V1)) if (timingSafeEqual(expected, given)) matched = true
  } else {
    const content = Buffer.concat([prefix, body])
    for (const given of decoded(signatures, V1A)) {
      if (verifyEd25519(null, content, key.publicKey, given)) matched = true
    }
  }
  return matched
}

function decoded(signatures: readonly string[], version: RegExp): readonly Buffer[] {
  return signatures
    .map((signature) => version.exec(signature)?.[1])
    .filter((digest) => digest !== undefined)
    .map((digest) => Buffer.from(digest, 'base64'))
}

function readKey(secret: Buffer): Key {
  const text = secret.toString('utf8')
  if (text.startsWith('whsk_')) {
    return { kind: 'unusable', reason: "The source's secret is a private key; store the public one, whpk_." }
  }
  if (text.startsWith('whpk_')) return readPublicKey(decode(text.slice('whpk_'.length)))
  if (!text.startsWith('whsec_')) return { kind: 'hmac', bytes: secret, note: NO_SIGNING_TOKEN }
  const bytes = decode(text.slice('whsec_'.length))
  return bytes === undefined
    ? { kind: 'unusable', reason: "The source's secret begins with whsec_, but what follows is not base64." }
    : { kind: 'hmac', bytes, note: '' }
}

/** GitLab has no others: the stored one may be its older secret token, or a signing token that lost its beginning. */
const NO_SIGNING_TOKEN = ', which does not begin with whsec_ as signing tokens do'

function readPublicKey(bytes: Buffer | undefined): Key {
  if (bytes?.length !== 32) {
    return { kind: 'unusable', reason: "The source's secret begins with whpk_, but no Ed25519 public key follows." }
  }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }
  return { kind: 'ed25519', publicKey: createPublicKey({ key: jwk, format: 'jwk' }) }
}

/** Undefined for text that is not base64, padded or not, and for empty text. */
function decode(text: string): Buffer | undefined {
  return text !== '' && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined
}
