import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Event, PROVIDERS } from '@signalbox/contracts/event'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { AUTH_MODES, FORGES, findForge } from './index.ts'
import type { Reading } from './port.ts'
import { fixturesOf } from './testing.ts'
import { verifyDelivery } from './verify-delivery.ts'

/**
 * The promises that every forge keeps, whatever its provider. Each folder tests its provider's fixtures and attacks.
 */

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')
const SECRET = Buffer.from('correct horse battery staple')
/** The headers that verifiers and readers of all providers look at. */
const HEADERS = [
  'content-type',
  'authorization',
  'idempotency-key',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-event-key',
  'x-gitea-event',
  'x-gitea-signature',
  'x-github-event',
  'x-gitlab-event',
  'x-gitlab-token',
  'x-gogs-event',
  'x-gogs-signature',
  'x-hub-signature',
  'x-hub-signature-256',
]
const KINDS: readonly Reading['kind'][] = ['events', 'nothing_runnable', 'unreadable']

test('the folders beside the registry are its forges', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  assert.deepEqual(folders.toSorted(), FORGES.map((forge) => forge.id.replaceAll('_', '-')).toSorted())
})

test('each forge has a page for the person who sets it up, and a row in the list of pages', () => {
  const pages = join(import.meta.dirname, '../../../../docs/providers')
  const list = readFileSync(join(pages, 'README.md'), 'utf8')
  for (const { id } of FORGES) {
    const page = `${id.replaceAll('_', '-')}.md`
    assert.match(readFileSync(join(pages, page), 'utf8'), /^# /)
    assert.match(list, new RegExp(`\\(${page}\\) +\\| \`${id}\``))
  }
})

test('a forge is found by its id, and an unknown one is not', () => {
  for (const forge of FORGES) assert.equal(findForge(forge.id), forge)
  assert.equal(findForge('sourceforge'), undefined)
  assert.equal(findForge('__proto__'), undefined)
})

for (const forge of FORGES) {
  const { id, webhooks } = forge
  describe(`the forge ${id}`, () => {
    test('has a provider id, and auth modes without repetition', () => {
      assert.ok(PROVIDERS.includes(id))
      assert.equal(new Set(webhooks.authModes).size, webhooks.authModes.length)
    })

    test('a delivery without any credentials is missing them in each of its modes', () => {
      for (const authMode of webhooks.authModes) {
        const found = webhooks.verify({
          headers: {},
          rawBody: Buffer.from('{}'),
          secrets: [SECRET],
          authMode,
          receivedAt: RECEIVED_AT,
        })
        assert.equal(found.outcome, 'missing')
        assert.notEqual(found.detail, '')
      }
    })

    test('a mode that it lacks verifies nothing', () => {
      for (const authMode of AUTH_MODES.filter((mode) => !webhooks.authModes.includes(mode))) {
        const headers = { authorization: `Basic ${SECRET.toString('base64')}`, 'x-gitlab-token': SECRET.toString() }
        const { verification } = verifyDelivery(forge, {
          headers,
          rawBody: Buffer.from('{}'),
          secrets: [SECRET],
          authMode,
          receivedAt: RECEIVED_AT,
        })
        assert.equal(verification.outcome, 'mismatch')
        assert.match(verification.detail, /has no auth mode .*; use "/)
      }
    })

    test('no headers and body make it throw, and what it reads is a valid event or a sentence', () => {
      const header = fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 2 }), fc.constant('application/json'))
      const headers = fc.dictionary(fc.oneof(fc.constantFrom(...HEADERS), fc.string()), header)
      const body = fc.oneof(
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        fc.json().map((text) => Buffer.from(text)),
      )
      fc.assert(
        fc.property(headers, body, (given, rawBody) => {
          for (const authMode of webhooks.authModes) {
            const request = { headers: given, rawBody, secrets: [SECRET], authMode, receivedAt: RECEIVED_AT }
            assert.notEqual(webhooks.verify(request).outcome, 'verified')
          }
          const reading = webhooks.read(given, rawBody)
          assert.ok(KINDS.includes(reading.kind))
          if (reading.kind === 'events') for (const event of reading.events) assert.ok(Value.Check(Event, event))
          else assert.match(reading.reason, /\.$/)
          webhooks.deliveryId(given, rawBody)
          webhooks.eventType(given, rawBody)
        }),
        { numRuns: 500 },
      )
    })

    test('has fixtures of an event, and of a delivery that nothing can use', () => {
      const kinds = new Set(fixturesOf(forge).map(({ reading }) => Object(reading).kind))
      assert.ok(kinds.has('events'))
      assert.ok(kinds.has('nothing_runnable'))
    })

    test('a form-encoded delivery is unreadable, and the reason says what to set at the provider', () => {
      const reading = webhooks.read(
        { 'content-type': 'application/x-www-form-urlencoded', 'x-github-event': 'push' },
        Buffer.from('payload=%7B%7D'),
      )
      assert.equal(reading.kind, 'unreadable')
      assert.match(reading.kind === 'unreadable' ? reading.reason : '', /application\/json at the provider/)
    })
  })
}
