import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TriggerTrace } from '@signalbox/contracts/events'
import { visibleTrace } from './visible-trace.ts'

const rule = (change: Partial<TriggerTrace>): TriggerTrace => ({
  layer: 'service_trigger',
  trigger_id: null,
  name: 'on-push',
  team_path: 'acme',
  pipeline: 'other/deploy',
  matched: true,
  first_failed: null,
  conditions: [],
  outcome: 'refused',
  reason: 'secrets: There is no secret other/npm.',
  run_id: null,
  ...change,
})

test('of a rule that was refused, the reason is told as the reader may see it; other reasons stay', () => {
  const asked: unknown[] = []
  const reader = {
    can: (_permission: string, teamPath: string) => teamPath === 'acme',
    tell(pipeline: string | null, reason: string | null) {
      asked.push([pipeline, reason])
      return 'hidden'
    },
  }
  const triggers = [
    rule({}),
    rule({ outcome: 'duplicate', reason: 'Delivery 7 started it.' }),
    rule({ team_path: 'other', name: 'of others' }),
  ]
  const event = {
    event_id: '1',
    kind: 'push',
    action: '',
    repository: 'acme/web',
    ref: null,
    layer: null,
    manifest: null,
  }
  const { events } = visibleTrace({ verification: 'verified', events: [{ ...event, triggers }] }, reader)
  assert.deepEqual(
    events[0]?.triggers.map(({ reason }) => reason),
    ['hidden', 'Delivery 7 started it.'],
  )
  assert.deepEqual(asked, [['other/deploy', 'secrets: There is no secret other/npm.']])
  assert.match(events[0]?.note ?? '', /^A rule of teams that you may not see is left out/)
})
