import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { forgejo } from '../forgejo/index.ts'
import { signDelivery as signForgejo } from '../forgejo/testing.ts'
import { gogs } from '../gogs/index.ts'
import { signDelivery as signGogs } from '../gogs/testing.ts'
import type { AuthMode, Forge, WebhookHeaders } from '../port.ts'
import { gitea } from './index.ts'
import { aPushPayload, signDelivery as signGitea } from './testing.ts'

/** Gitea and its relatives are verified alike; which of their headers count, and in which order, is tested below. */

const SECRET = "It's a Secret to Everybody"

function verifyWith({ webhooks }: Forge, authMode: AuthMode = 'signature') {
  return (headers: WebhookHeaders, rawBody: Buffer, secrets: readonly string[] = [SECRET]) =>
    webhooks.verify({
      headers,
      rawBody,
      secrets: secrets.map((secret) => Buffer.from(secret)),
      authMode,
      receivedAt: new Date('2026-11-21T10:00:00.000Z'),
    })
}

function without(headers: Record<string, string>, ...keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => !keys.includes(key)))
}

const FAMILY = [
  { forge: gitea, sign: signGitea, header: 'x-gitea-signature' },
  { forge: forgejo, sign: signForgejo, header: 'x-forgejo-signature' },
  { forge: gogs, sign: signGogs, header: 'x-gogs-signature' },
] as const

for (const { forge, sign, header } of FAMILY) {
  const { title } = forge
  const outcome = verifyWith(forge)
  const signed = (secret: string) => sign(aPushPayload(), { secret })

  describe(`${title}'s signature`, () => {
    test('verifies with either live secret and says with which', () => {
      const { headers, body } = signed(SECRET)
      const index = (secrets: readonly string[]) => {
        const found = outcome(headers, body, secrets)
        return found.outcome === 'verified' ? found.secretIndex : found.outcome
      }
      assert.equal(index([SECRET]), 0)
      assert.equal(index([SECRET, 'next']), 0)
      assert.equal(index(['next', SECRET]), 1)
      assert.equal(index(['', SECRET]), 1)
    })

    test('with another secret, another body or one bit changed is a mismatch', () => {
      const { headers, body } = signed(SECRET)
      assert.equal(outcome(headers, body, ['other']).outcome, 'mismatch')
      assert.equal(outcome(headers, Buffer.concat([body, Buffer.from(' ')])).outcome, 'mismatch')
      const right = headers[header] ?? ''
      const flipped = right.slice(0, -1) + (right.endsWith('0') ? '1' : '0')
      assert.equal(outcome({ ...headers, [header]: flipped }, body).outcome, 'mismatch')
    })

    test('is over the bytes: invalid UTF-8 verifies, re-serialised JSON does not', () => {
      const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
      const odd = sign(bytes, { secret: SECRET })
      assert.equal(outcome(odd.headers, odd.body).outcome, 'verified')
      const { headers, body } = signed(SECRET)
      const again = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
      assert.equal(outcome(headers, again).outcome, 'mismatch')
    })

    test('has no prefix; empty, short, long or without hexadecimal digits it is a mismatch', () => {
      const { headers, body } = signed(SECRET)
      const right = headers[header] ?? ''
      assert.match(right, /^[0-9a-f]{64}$/)
      for (const value of [
        '',
        'sha256=',
        `sha256=${right}`,
        right.slice(2),
        `${right}00`,
        'zz'.repeat(32),
        ` ${right}`,
        `${right}\n`,
      ]) {
        assert.equal(outcome({ ...headers, [header]: value }, body).outcome, 'mismatch', JSON.stringify(value))
      }
    })

    test('given twice is a mismatch, even when both are right', () => {
      const { headers, body } = signed(SECRET)
      const right = headers[header] ?? ''
      for (const value of [[right, right], [right], `${right}, ${right}`, `${right},${right}`]) {
        assert.equal(outcome({ ...headers, [header]: value }, body).outcome, 'mismatch')
      }
    })

    test(`that is empty, as ${title} sends it without a secret, tells to set one`, () => {
      const { headers, body } = signed('')
      assert.equal(headers[header], '')
      for (const secrets of [[SECRET], [''], ['', '']]) {
        const found = outcome(headers, body, secrets)
        assert.equal(found.outcome, 'mismatch')
        assert.match(found.detail, new RegExp(`is empty: set a secret in the webhook at ${title}\\.$`))
      }
    })

    test('made with an empty secret never verifies', () => {
      const { headers, body } = signed(SECRET)
      const forged = createHmac('sha256', '').update(body).digest('hex')
      for (const secrets of [[''], ['', ''], []]) {
        assert.equal(outcome({ ...headers, [header]: forged }, body, secrets).outcome, 'mismatch')
      }
    })

    test('in another mode is a mismatch', () => {
      const { headers, body } = signed(SECRET)
      const authorization = `Basic ${Buffer.from(SECRET).toString('base64')}`
      for (const authMode of ['token', 'basic'] as const) {
        const found = verifyWith(forge, authMode)({ ...headers, authorization, 'x-gitlab-token': SECRET }, body)
        assert.equal(found.outcome, 'mismatch')
      }
    })

    test("of GitHub's headers alone, or of SHA-1, is missing", () => {
      const { headers, body } = signed(SECRET)
      const sha1 = `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`
      const known = ['x-forgejo-signature', 'x-gitea-signature', 'x-gogs-signature', 'x-hub-signature-256']
      const rest = { ...without(headers, ...known), 'x-hub-signature': sha1 }
      assert.equal(outcome(rest, body).outcome, 'missing')
    })

    test('over the JSON inside a form, as it is in form mode, is a mismatch', () => {
      const { headers } = signed(SECRET)
      const form = Buffer.from(`payload=${encodeURIComponent(JSON.stringify(aPushPayload()))}`)
      const given = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
      assert.equal(outcome(given, form).outcome, 'mismatch')
      const reading = forge.webhooks.read(given, form)
      assert.equal(reading.kind, 'unreadable')
      assert.match(
        reading.kind === 'unreadable' ? reading.reason : '',
        /content type .* application\/json at the provider/,
      )
    })
  })
}

describe('the first accepted header that a delivery carries decides', () => {
  const ORDER = [
    { forge: gitea, sign: signGitea, accepted: ['x-gitea-signature', 'x-hub-signature-256'] },
    {
      forge: forgejo,
      sign: signForgejo,
      accepted: ['x-forgejo-signature', 'x-gitea-signature', 'x-hub-signature-256'],
    },
    { forge: gogs, sign: signGogs, accepted: ['x-gogs-signature'] },
  ] as const
  const SIGNATURES = ['x-forgejo-signature', 'x-gitea-signature', 'x-gogs-signature', 'x-hub-signature-256']
  const wrong = (key: string) => (key === 'x-hub-signature-256' ? `sha256=${'0'.repeat(64)}` : '0'.repeat(64))

  for (const { forge, sign, accepted } of ORDER) {
    const outcome = verifyWith(forge)
    const { headers, body } = sign(aPushPayload(), { secret: SECRET })

    accepted.forEach((key, place) => {
      const later = without(headers, ...accepted.slice(0, place))

      test(`${forge.title}: ${key} alone verifies`, () => {
        const others = SIGNATURES.filter((other) => other !== key)
        assert.equal(outcome(without(later, ...others), body).outcome, 'verified')
      })

      test(`${forge.title}: ${key} wrong or empty is a mismatch, though those behind it are right`, () => {
        for (const value of [wrong(key), '', 'sha256=']) {
          assert.equal(outcome({ ...later, [key]: value }, body).outcome, 'mismatch', value)
        }
      })
    })

    test(`${forge.title}: no other header counts`, () => {
      const { headers: all } = signForgejo(body, { secret: SECRET })
      assert.equal(outcome(without(all, ...accepted), body).outcome, 'missing')
    })
  }
})
