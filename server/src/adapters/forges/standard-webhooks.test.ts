import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import type { WebhookHeaders } from './port.ts'
import { verifyStandardWebhooks } from './standard-webhooks.ts'

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')
const SECONDS = RECEIVED_AT.getTime() / 1_000
const KEY = Buffer.from('0123456789abcdef0123456789abcdef')
const SECRET = `whsec_${KEY.toString('base64')}`
const BODY = Buffer.from('{"kind":"push"}')

interface Signing {
  readonly key?: Buffer
  readonly id?: string
  readonly timestamp?: string
  readonly body?: Buffer
}

function digest({ key = KEY, id = 'msg_1', timestamp = String(SECONDS), body = BODY }: Signing): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

function headersOf(signing: Signing = {}): Record<string, string> {
  const { id = 'msg_1', timestamp = String(SECONDS) } = signing
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': digest(signing) }
}

function verify(headers: WebhookHeaders, secrets: readonly (string | Buffer)[] = [SECRET], rawBody = BODY) {
  const live = secrets.map((secret) => Buffer.from(secret))
  const found = verifyStandardWebhooks({ headers, rawBody, secrets: live, receivedAt: RECEIVED_AT })
  assert.match(found.detail, /^[A-Zw].*\.$/)
  for (const secret of secrets) if (secret.length > 10) assert.ok(!found.detail.includes(String(secret)))
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe('a signature of Standard Webhooks', () => {
  test('matches the example of the reference libraries', () => {
    const found = verifyStandardWebhooks({
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      rawBody: Buffer.from('{"test": 2432232314}'),
      secrets: [Buffer.from('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
      receivedAt: new Date(1_614_265_330_000),
    })
    assert.equal(found.outcome, 'verified')
  })

  test('verifies with either live secret and says with which', () => {
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    assert.equal(verify(headersOf(), [SECRET, other]), 0)
    assert.equal(verify(headersOf(), [other, SECRET]), 1)
    assert.equal(verify(headersOf(), ['', SECRET]), 1)
    assert.equal(verify(headersOf(), ['whsec_', SECRET]), 1)
  })

  test('may stand among others, of other secrets and of versions that nobody knows yet', () => {
    const right = digest({})
    const wrong = digest({ key: Buffer.from('other') })
    for (const list of [`${wrong} ${right}`, `${right} ${wrong}`, `v2,AAAA ${right}`, `v1a,AAAA ${right}`]) {
      assert.equal(verify({ ...headersOf(), 'webhook-signature': list }), 0, list)
    }
    assert.equal(verify({ ...headersOf(), 'webhook-signature': `${wrong} ${wrong}` }), 'mismatch')
    assert.equal(verify({ ...headersOf(), 'webhook-signature': right.replace('v1,', 'v2,') }), 'mismatch')
    assert.equal(verify({ ...headersOf(), 'webhook-signature': `${`${wrong} `.repeat(20)}${right}` }), 'mismatch')
  })

  test('takes the bytes of a secret without prefix as they are', () => {
    const plain = 'correct horse battery staple'
    assert.equal(verify(headersOf({ key: Buffer.from(plain) }), [plain]), 0)
    const unprefixed = KEY.toString('base64')
    assert.equal(verify(headersOf(), [unprefixed]), 'mismatch')
    assert.equal(verify(headersOf({ key: Buffer.from(SECRET) }), [SECRET]), 'mismatch')
  })

  test('that does not match says so, and whether the stored secret looks like a signing token at all', () => {
    const detailWith = (secret: string): string =>
      verifyStandardWebhooks({
        headers: headersOf(),
        rawBody: BODY,
        secrets: [Buffer.from(secret)],
        receivedAt: RECEIVED_AT,
      }).detail
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    assert.equal(detailWith(other), "webhook-signature does not match the source's secret.")
    assert.match(detailWith('an old secret token'), /, which does not begin with whsec_ as signing tokens do\.$/)
  })

  test('covers the id, the time and every byte of the body', () => {
    const headers = headersOf()
    assert.equal(verify({ ...headers, 'webhook-id': 'msg_2' }), 'mismatch')
    assert.equal(verify({ ...headers, 'webhook-timestamp': String(SECONDS + 1) }), 'mismatch')
    assert.equal(verify(headers, [SECRET], Buffer.concat([BODY, Buffer.from(' ')])), 'mismatch')
    const odd = Buffer.from([0x7b, 0xff, 0x7d])
    assert.equal(verify(headersOf({ body: odd }), [SECRET], odd), 0)
    const signature = headers['webhook-signature'] ?? ''
    const flipped = `${signature.slice(0, 10)}${signature[10] === 'A' ? 'B' : 'A'}${signature.slice(11)}`
    assert.equal(verify({ ...headers, 'webhook-signature': flipped }), 'mismatch')
  })

  test('holds for 5 minutes either way, to the second', () => {
    for (const [offset, expected] of [
      [300, 0],
      [-300, 0],
      [301, 'mismatch'],
      [-301, 'mismatch'],
      [-86_400, 'mismatch'],
    ] as const) {
      assert.equal(verify(headersOf({ timestamp: String(SECONDS + offset) })), expected, String(offset))
    }
    const times = ['', '-1', '1e9', `${SECONDS}.0`, ` ${SECONDS}`, `${SECONDS}000`, 'now', '0x10', '9'.repeat(400)]
    for (const timestamp of times) assert.equal(verify(headersOf({ timestamp })), 'mismatch', timestamp)
  })

  test('with an id that could be mistaken for more is a mismatch', () => {
    for (const id of ['', 'a.b', `msg.${SECONDS}`, '{"a":1}', 'a b', 'a\n', 'é', 'x'.repeat(201)]) {
      assert.equal(verify(headersOf({ id })), 'mismatch', id)
    }
    for (const id of ['msg_2KWPBgLlAfxdpx2AI54pPJ85f4W', '72d3162e-cc78-11e3-81ab-4c9367dc0958', 'a+b/c=']) {
      assert.equal(verify(headersOf({ id })), 0, id)
    }
  })

  test('is never made of a bare body that was signed with the same secret', () => {
    const plain = 'correct horse battery staple'
    const signed = Buffer.from(`{"id":"x.${SECONDS}.{}"}`)
    const signature = `v1,${createHmac('sha256', plain).update(signed).digest('base64')}`
    const [id = '', timestamp = '', ...rest] = signed.toString().split('.')
    const forged = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    assert.equal(verify(forged, [plain], Buffer.from(rest.join('.'))), 'mismatch')
  })

  test('empty, short, long, unpadded or of no base64 is a mismatch', () => {
    const right = digest({})
    for (const value of [
      '',
      ' ',
      'v1,',
      'v1',
      right.slice(3),
      right.slice(0, -1),
      `${right}=`,
      `v1,AAAA${right.slice(3)}`,
      `v1,${right.slice(7)}`,
      `v1,${'*'.repeat(43)}=`,
      ` ${right}`,
      `${right} `,
      `${right}  ${right}`,
      `${right}\n`,
      `V1,${right.slice(3)}`,
      `v1,${Buffer.from(right.slice(3), 'base64').toString('hex')}`,
    ]) {
      assert.equal(verify({ ...headersOf(), 'webhook-signature': value }), 'mismatch', value)
    }
  })

  test('given twice is a mismatch, even when both are right', () => {
    const headers = headersOf()
    for (const [key, value] of Object.entries(headers)) {
      for (const twice of [[value, value], [value], `${value}, ${value}`, `${value},${value}`]) {
        assert.equal(verify({ ...headers, [key]: twice }), 'mismatch', `${key}: ${twice}`)
      }
    }
  })

  test('without its header is missing, and without id or time a mismatch', () => {
    const { 'webhook-signature': signature = '', ...unsigned } = headersOf()
    assert.equal(verify({}), 'missing')
    assert.equal(verify({ ...unsigned, 'x-gitlab-token': SECRET, 'x-hub-signature-256': 'sha256=00' }), 'missing')
    assert.equal(verify({ 'webhook-signature': signature }), 'mismatch')
    assert.equal(verify({ 'webhook-signature': signature, 'webhook-id': 'msg_1' }), 'mismatch')
  })

  test('never verifies with an empty, absent or broken secret', () => {
    const empty = headersOf({ key: Buffer.alloc(0) })
    for (const secrets of [[], [''], ['', ''], ['whsec_'], ['whsec_!!'], ['whsec_ '], ['whpk_'], ['whsk_AAAA']]) {
      assert.equal(verify(empty, secrets), 'mismatch', String(secrets))
    }
  })
})

describe('a signature of Standard Webhooks with Ed25519', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const secret = publicSecret(publicKey)
  const headers = { ...headersOf(), 'webhook-signature': asymmetric(privateKey) }

  function asymmetric(key: KeyObject, content = `msg_1.${SECONDS}.${BODY}`): string {
    return `v1a,${sign(null, Buffer.from(content), key).toString('base64')}`
  }

  function publicSecret(key: KeyObject): string {
    return `whpk_${key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`
  }

  test('verifies with the public key', () => {
    assert.equal(verify(headers, [secret]), 0)
    assert.equal(verify({ ...headers, 'webhook-signature': `${digest({})} ${asymmetric(privateKey)}` }, [secret]), 0)
    assert.equal(verify(headers, [SECRET, secret]), 1)
  })

  test('of another key, body or time is a mismatch', () => {
    const other = generateKeyPairSync('ed25519')
    assert.equal(verify({ ...headers, 'webhook-signature': asymmetric(other.privateKey) }, [secret]), 'mismatch')
    assert.equal(verify(headers, [publicSecret(other.publicKey)]), 'mismatch')
    assert.equal(verify(headers, [secret], Buffer.from('{}')), 'mismatch')
    assert.equal(verify({ ...headers, 'webhook-timestamp': String(SECONDS + 1) }, [secret]), 'mismatch')
  })

  test('is not replaced by an HMAC with what everybody knows, the public key', () => {
    for (const key of [Buffer.from(secret), Buffer.from(secret.slice('whpk_'.length), 'base64')]) {
      assert.equal(verify(headersOf({ key }), [secret]), 'mismatch')
    }
  })

  test('does not verify with a secret that is no such key', () => {
    const short = `whpk_${Buffer.alloc(31, 1).toString('base64')}`
    const privateSecret = `whsk_${Buffer.alloc(64, 1).toString('base64')}`
    for (const unusable of [short, 'whpk_!', 'whpk_', privateSecret, SECRET]) {
      assert.equal(verify(headers, [unusable]), 'mismatch')
    }
  })
})
