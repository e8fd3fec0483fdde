import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuthMode, WebhookHeaders } from '../port.ts'
import { gitlab } from './index.ts'
import { aPushPayload, signPush, tokenDelivery } from './testing.ts'

/** The rules of GitLab alone; verification.test.ts has the rest. */

const AT = new Date('2026-11-21T10:00:00.000Z')
const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const TOKEN = 'correct horse battery staple'

function verify(headers: WebhookHeaders, rawBody: Buffer, authMode: AuthMode, secrets: readonly string[]) {
  const live = secrets.map((secret) => Buffer.from(secret))
  const found = gitlab.webhooks.verify({ headers, rawBody, secrets: live, authMode, receivedAt: AT })
  return found.outcome === 'verified' ? found.secretIndex : found.outcome
}

describe("GitLab's signing token", () => {
  const { headers, body } = signPush({ secret: SECRET, at: AT })

  test('verifies, and goes stale after 5 minutes, also from the future', () => {
    assert.equal(verify(headers, body, 'signature', [SECRET]), 0)
    for (const seconds of [-301, 301]) {
      const stale = signPush({ secret: SECRET, at: new Date(AT.getTime() + seconds * 1_000) })
      assert.equal(verify(stale.headers, stale.body, 'signature', [SECRET]), 'mismatch')
    }
  })

  test('that is not there is missing, whatever token comes instead', () => {
    const { 'webhook-signature': _, ...unsigned } = headers
    for (const token of [SECRET, TOKEN]) {
      const weaker = { ...unsigned, 'x-gitlab-token': token }
      assert.equal(verify(weaker, body, 'signature', [token]), 'missing')
    }
    const told = gitlab.webhooks.verify({
      headers: { ...unsigned, 'x-gitlab-token': TOKEN },
      rawBody: body,
      secrets: [Buffer.from(TOKEN)],
      authMode: 'signature',
      receivedAt: AT,
    })
    assert.match(told.detail, /as signing token, or use a source with auth_mode "token"/)
  })

  test('that is wrong is not made good by a right token', () => {
    const both = { ...headers, 'x-gitlab-token': SECRET, 'webhook-signature': `v1,${'A'.repeat(43)}=` }
    assert.equal(verify(both, body, 'signature', [SECRET]), 'mismatch')
  })
})

describe("GitLab's secret token", () => {
  const { headers, body } = tokenDelivery(aPushPayload(), { secret: TOKEN })

  test('comes without the line breaks of the secret', () => {
    assert.equal(verify(headers, body, 'token', [`${TOKEN}\n`]), 0)
    assert.equal(verify(headers, body, 'token', ['correct horse\r\n battery staple']), 0)
  })

  test('never verifies with an empty or absent secret', () => {
    for (const secrets of [[], [''], ['\n'], ['\r\n', '']]) {
      assert.equal(verify({ ...headers, 'x-gitlab-token': '' }, body, 'token', secrets), 'mismatch')
      assert.equal(verify({ ...headers, 'x-gitlab-token': '\n' }, body, 'token', secrets), 'mismatch')
      assert.equal(verify(headers, body, 'token', secrets), 'mismatch')
    }
  })
})

test('signing tokens come first among the modes', () => {
  assert.deepEqual(gitlab.webhooks.authModes, ['signature', 'token'])
})
