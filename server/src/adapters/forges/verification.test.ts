import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { keepHeaders } from './delivery-headers.ts'
import type { AuthMode, Forge, WebhookHeaders } from './port.ts'
import { FORGES, findForge } from './registry.ts'
import { fixturesOf, headersOf, PROOFS, type Proof } from './testing.ts'
import { verifyDelivery } from './verify-delivery.ts'

/**
 * The promises that every forge keeps when it verifies, for each header of `PROOFS`. Each folder tests the rules of its
 * own provider.
 */

const AT = new Date('2026-11-21T10:00:00.000Z')
/** Of a form that every mode takes. */
const SECRET = 'signalbox:correct horse'
const OTHER = 'signalbox:next'
const BODY = Buffer.from('{"ref":"refs/heads/main","escaped":"\\u001B"}')
/** Standard Webhooks sends them for everybody to see, and they are needed to read a stored delivery. */
const OPEN_HEADERS = ['webhook-id', 'webhook-timestamp']

interface Asked {
  readonly body?: Buffer
  readonly secrets?: readonly string[]
  readonly authMode?: AuthMode
}

/** The place of the secret that matched, or why none did. */
function verify(proof: Pick<Proof, 'provider' | 'authMode'>, headers: WebhookHeaders, asked: Asked = {}) {
  const { body = BODY, secrets = [SECRET], authMode = proof.authMode } = asked
  const { verification: found } = verifyDelivery(forgeOf(proof), {
    headers,
    rawBody: body,
    secrets: secrets.map((secret) => Buffer.from(secret)),
    authMode,
    receivedAt: AT,
  })
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

function forgeOf({ provider }: Pick<Proof, 'provider'>): Forge {
  const forge = findForge(provider)
  assert.ok(forge)
  return forge
}

function proven(proof: Proof, body = BODY, secret = SECRET): Record<string, string> {
  return headersOf(proof, body, secret, { id: 'msg_1', at: AT })
}

/** The proofs that the forge accepts in the same mode, this proof too, in the order in which they decide. */
function acceptedBeside({ provider, authMode }: Proof): readonly Proof[] {
  return PROOFS.filter((other) => other.provider === provider && other.authMode === authMode)
}

for (const proof of PROOFS) {
  const { header, authMode, coversBody } = proof
  const right = proven(proof)[header] ?? ''
  const withValue = (value: WebhookHeaders[string]) => ({ ...proven(proof), [header]: value })

  describe(`${forgeOf(proof).title} in the mode ${authMode} by ${header}`, () => {
    test('verifies with either live secret and says with which', () => {
      for (const [secrets, place] of [
        [[SECRET], 0],
        [[SECRET, OTHER], 0],
        [[OTHER, SECRET], 1],
        [['', SECRET], 1],
      ] as const) {
        assert.equal(verify(proof, proven(proof), { secrets }), place, secrets.join())
      }
    })

    test('with another secret, or one bit changed, is a mismatch', () => {
      assert.equal(verify(proof, proven(proof), { secrets: ['signalbox:other'] }), 'mismatch')
      const middle = Math.floor(right.length / 2)
      const bit = right[middle] === '0' ? '1' : '0'
      assert.equal(verify(proof, withValue(right.slice(0, middle) + bit + right.slice(middle + 1))), 'mismatch')
    })

    test(coversBody ? 'is over the bytes of the body' : 'says nothing about the body', () => {
      const longer = Buffer.concat([BODY, Buffer.from(' ')])
      assert.equal(verify(proof, proven(proof), { body: longer }), coversBody ? 'mismatch' : 0)
      const serialised = Buffer.from(JSON.stringify(JSON.parse(BODY.toString())))
      assert.notDeepEqual(serialised, BODY)
      assert.equal(verify(proof, proven(proof), { body: serialised }), coversBody ? 'mismatch' : 0)
      const noText = Buffer.from([0x7b, 0xff, 0xfe, 0x7d])
      assert.equal(verify(proof, proven(proof, noText), { body: noText }), 0)
    })

    test('empty, short, long, of another form or of a weaker algorithm is a mismatch', () => {
      for (const value of proof.broken(right, BODY, SECRET)) {
        assert.equal(verify(proof, withValue(value)), 'mismatch', JSON.stringify(value))
      }
    })

    test('given twice is a mismatch, even when both are right', () => {
      for (const value of [[right, right], [right], `${right}, ${right}`, `${right},${right}`]) {
        assert.equal(verify(proof, withValue(value)), 'mismatch', String(value))
      }
    })

    test('never verifies with an empty or absent secret', () => {
      for (const secret of proof.empty) {
        for (const secrets of [[], [''], ['', ''], [secret]]) {
          const outcome = verify(proof, proven(proof, BODY, secret), { secrets })
          // Without a secret that is for it, a weaker header may not be looked at.
          const weaker = acceptedBeside(proof)[0] !== proof && outcome === 'missing'
          assert.ok(outcome === 'mismatch' || weaker, `${JSON.stringify(secrets)}: ${outcome}`)
        }
      }
    })

    test("is missing where only other modes' or providers' proofs came, or one by SHA-1", () => {
      const accepted = new Set(acceptedBeside(proof).map((one) => one.header))
      const sha1 = { 'x-hub-signature': `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}` }
      const others = PROOFS.map((other) => proven(other)).concat(sha1, { 'x-api-key': SECRET })
      for (const headers of others) {
        if (Object.keys(headers).some((name) => accepted.has(name))) continue
        assert.equal(verify(proof, headers), 'missing', Object.keys(headers).join())
      }
    })

    test('that is wrong is not made good by a right one of the same mode that is looked at later', () => {
      const accepted = acceptedBeside(proof)
      for (const later of accepted.slice(accepted.indexOf(proof) + 1)) {
        const headers = { ...proven(proof), ...proven(later), [header]: right.replaceAll(/[0-9a-f]/g, '0') }
        assert.equal(verify(proof, headers), 'mismatch', later.header)
        assert.equal(verify(proof, { ...headers, [header]: '' }), 'mismatch', later.header)
      }
    })

    test('is never stored: what is kept of the headers proves nothing and does not hold it', () => {
      const kept = keepHeaders({ 'content-type': 'application/json', ...proven(proof) })
      assert.notEqual(kept[header], right)
      assert.ok(!JSON.stringify(kept).includes(right))
      for (const mode of forgeOf(proof).webhooks.authModes) {
        assert.equal(typeof verify(proof, kept, { authMode: mode }), 'string')
      }
    })
  })
}

for (const forge of FORGES) {
  const { id, webhooks } = forge
  const own = PROOFS.filter(({ provider }) => provider === id)

  describe(`the headers of ${forge.title}`, () => {
    test('that prove deliveries are in the table, for each mode', () => {
      assert.deepEqual([...new Set(own.map(({ authMode }) => authMode))].toSorted(), webhooks.authModes.toSorted())
    })

    test('in a mode that the provider lacks verify nothing', () => {
      for (const authMode of (['signature', 'token', 'basic'] as const).filter(
        (mode) => !webhooks.authModes.includes(mode),
      )) {
        for (const proof of own) assert.equal(verify(proof, proven(proof), { authMode }), 'mismatch')
        const all = Object.assign({}, ...PROOFS.map((proof) => proven(proof)))
        assert.equal(verify({ provider: id, authMode }, all), 'mismatch')
      }
    })

    test('that verifying looks at are never stored', () => {
      const looked = new Set<string>()
      const sent = [{}, ...PROOFS.map((proof) => proven(proof))]
      for (const headers of sent) {
        const request = {
          headers: watched(headers, looked),
          rawBody: BODY,
          secrets: [Buffer.from(SECRET)],
          receivedAt: AT,
        }
        for (const authMode of webhooks.authModes) webhooks.verify({ ...request, authMode })
      }
      const stored = keepHeaders(Object.fromEntries([...looked].map((name) => [name, 'its value'])))
      const values = Object.entries(stored).filter(([, value]) => value === 'its value')
      assert.deepEqual(
        values.map(([name]) => name).filter((name) => !OPEN_HEADERS.includes(name)),
        [],
      )
    })

    test('whose proof a secret makes are credentials', () => {
      for (const proof of own) assert.ok(webhooks.credentialHeaders.includes(proof.header), proof.header)
    })

    test('that are looked at in any delivery are decisive', () => {
      const looked = new Set<string>()
      for (const { headers, payload } of fixturesOf(forge)) {
        const rawBody = Buffer.from(JSON.stringify(payload))
        for (const sent of [headers, { 'content-type': 'application/json' }]) {
          const seen = watched(sent, looked)
          webhooks.read(seen, rawBody)
          webhooks.deliveryId(seen, rawBody)
          webhooks.eventType(seen, rawBody)
        }
      }
      for (const headers of [{}, ...own.map((proof) => proven(proof))]) {
        const request = {
          headers: watched(headers, looked),
          rawBody: BODY,
          secrets: [Buffer.from(SECRET)],
          receivedAt: AT,
        }
        for (const authMode of webhooks.authModes) webhooks.verify({ ...request, authMode })
      }
      const decisive = ['content-type', 'content-encoding', ...webhooks.decisiveHeaders]
      assert.deepEqual([...looked].filter((name) => !decisive.includes(name)).toSorted(), [])
      assert.deepEqual(webhooks.decisiveHeaders.filter((name) => !looked.has(name)).toSorted(), [])
    })

    test('are named in lower case, and the noted ones are credentials', () => {
      const { credentialHeaders, notedHeaders, decisiveHeaders } = webhooks
      for (const name of [...credentialHeaders, ...decisiveHeaders]) assert.equal(name, name.toLowerCase())
      for (const name of notedHeaders) assert.ok(credentialHeaders.includes(name), name)
    })
  })
}

/** The headers, which say by which names they are asked. */
function watched(headers: WebhookHeaders, looked: Set<string>): WebhookHeaders {
  return new Proxy(headers, {
    get(target, name) {
      if (typeof name === 'string') looked.add(name)
      return Reflect.get(target, name)
    },
  })
}

describe('the examples that providers publish verify', () => {
  for (const [provider, secret, body, headers] of [
    [
      'github',
      "It's a Secret to Everybody",
      'Hello, World!',
      { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    ],
    [
      'bitbucket',
      "It's a Secret to Everybody",
      'Hello World!',
      { 'x-hub-signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9' },
    ],
  ] as const) {
    test(provider, () => {
      const asked = { body: Buffer.from(body), secrets: [secret] }
      assert.equal(verify({ provider, authMode: 'signature' }, headers, asked), 0)
    })
  }
})
