import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Event } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import { FORGES } from './registry.ts'
import { fixturesOf } from './testing.ts'

/** Each fixture holds a provider's delivery, `{headers, payload}`, and the expected `reading`. */

for (const forge of FORGES) {
  describe(`a fixture of ${forge.id} is read as it says`, () => {
    const fixtures = fixturesOf(forge)

    for (const { name, headers, payload, reading } of fixtures) {
      test(name, () => {
        const body = Buffer.from(JSON.stringify(payload))
        const found = forge.webhooks.read(headers, body)
        assert.deepEqual(found, reading)
        assert.equal(forge.webhooks.eventType(headers, body), found.eventType)
        if (found.kind !== 'events') return
        for (const event of found.events) {
          assert.deepEqual(Value.Errors(Event, event), [])
          assert.equal(event.provider, forge.id)
          assert.equal(event.delivery_id, forge.webhooks.deliveryId(headers, body))
          assert.ok(event.ref === null || event.ref.startsWith('refs/'))
          assert.ok(!event.changed_paths_complete || event.changed_paths !== null)
        }
      })
    }

    test('and there are some', () => assert.notEqual(fixtures.length, 0))
  })
}
