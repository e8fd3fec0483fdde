import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forgejo } from '../forgejo/index.ts'
import { signDelivery as signForgejo } from '../forgejo/testing.ts'
import { gogs } from '../gogs/index.ts'
import { signDelivery as signGogs } from '../gogs/testing.ts'
import { gitea } from './index.ts'
import { aPushPayload, signDelivery as signGitea } from './testing.ts'

/** The rules of this family alone; verification.test.ts has the rest. */

const SECRET = "It's a Secret to Everybody"

for (const { forge, sign, header } of [
  { forge: gitea, sign: signGitea, header: 'x-gitea-signature' },
  { forge: forgejo, sign: signForgejo, header: 'x-forgejo-signature' },
  { forge: gogs, sign: signGogs, header: 'x-gogs-signature' },
]) {
  const verify = (headers: Readonly<Record<string, string>>, rawBody: Buffer, secrets: readonly string[]) =>
    forge.webhooks.verify({
      headers,
      rawBody,
      secrets: secrets.map((secret) => Buffer.from(secret)),
      authMode: 'signature',
      receivedAt: new Date('2026-11-21T10:00:00.000Z'),
    })

  describe(`${forge.title}'s signature`, () => {
    test(`that is empty, as ${forge.title} sends it without a secret, tells to set one`, () => {
      const { headers, body } = sign(aPushPayload(), { secret: '' })
      assert.equal(headers[header], '')
      for (const secrets of [[SECRET], [''], ['', '']]) {
        const found = verify(headers, body, secrets)
        assert.equal(found.outcome, 'mismatch')
        assert.match(found.detail, new RegExp(`is empty: set a secret in the webhook at ${forge.title}\\.$`))
      }
    })

    test('over the JSON inside a form, as it is in form mode, is a mismatch', () => {
      const { headers } = sign(aPushPayload(), { secret: SECRET })
      const form = Buffer.from(`payload=${encodeURIComponent(JSON.stringify(aPushPayload()))}`)
      const given = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
      assert.equal(verify(given, form, [SECRET]).outcome, 'mismatch')
      const reading = forge.webhooks.read(given, form)
      assert.ok(reading.kind === 'unreadable')
      assert.match(reading.reason, /content type .* application\/json at the provider/)
    })
  })
}
