import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readItem } from './read-item.ts'

const at = new Date('2026-11-23T10:00:00.000Z')
const assignment = { attemptId: 'attempt', runId: 'run', step: 'one', task: 'a', number: 1, fence: 7, startedAt: null }

test('an attempt is lost by the end of its lease only where that is over still, once its row is locked', () => {
  const item = { kind: 'lost', runnerId: 'box', assignment, reason: 'silent', ifExpired: true } as const
  const read = (expired: readonly string[]) => {
    const reports = new Map()
    const by = { expired: new Set(expired), waiting: new Set<string>(), children: new Map(), at }
    const event = readItem(item, by, reports)
    return [event?.type, reports.size]
  }
  assert.deepEqual(read([]), [undefined, 0], 'it was renewed at the last moment')
  assert.deepEqual(read(['attempt']), ['task_finished', 1])
})
