import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import type { InboxItem } from '../rules/inbox.ts'
import { BEGINS_MS } from '../rules/patience.ts'
import { Inbox } from './inbox.ts'

const begin = (fence: number): InboxItem => ({
  kind: 'started',
  runnerId: 'runner',
  assignment: assignmentOf(fence),
  at: new Date('2026-11-21T09:00:00Z'),
  arrivedAt: new Date('2026-11-21T09:00:00Z'),
  images: [],
})
const end = (fence: number): InboxItem => ({
  kind: 'finished',
  runnerId: 'runner',
  assignment: assignmentOf(fence),
  finished: { result: 'success', exitCode: 0, reason: '', outputs: {}, startedAt: null },
})
const cancel: InboxItem = { kind: 'event', runId: 'run', event: { type: 'cancel_requested', reason: 'why not' } }
const assignmentOf = (fence: number) => ({
  fence,
  attemptId: `attempt-${fence}`,
  runId: 'run',
  step: 'step',
  task: `task-${fence}`,
  number: 1,
})

describe('what waits for a round', () => {
  test('leaves a begin for the end of its task, in their order, and no longer than its time', async () => {
    const clock = createTestClock()
    const inbox = new Inbox(clock)
    inbox.push([begin(1), begin(2), end(1)])
    assert.deepEqual(inbox.take(100, true), [begin(1), end(1)])
    assert.deepEqual(inbox.take(100, true), [])
    assert.equal(inbox.size, 1)
    await clock.advance(BEGINS_MS - 1)
    assert.equal(inbox.patience(1, 0), 1)
    await clock.advance(1)
    assert.equal(inbox.patience(1, 0), 0)
    assert.deepEqual(inbox.take(100, true), [begin(2)])
  })

  test('goes as it is with anything else, where there is much of it, and at the end', () => {
    const inbox = new Inbox(createTestClock())
    inbox.push([begin(1), begin(2)])
    inbox.push([cancel])
    assert.equal(inbox.patience(2, 0), 0)
    assert.deepEqual(inbox.take(100, true), [begin(1), begin(2), cancel])
    inbox.push([begin(1), begin(2), end(2)])
    assert.deepEqual(inbox.take(2, true), [begin(1), begin(2)])
    inbox.push([begin(3)])
    assert.deepEqual(inbox.take(100, false), [end(2), begin(3)])
  })

  test('that could not be stored comes first again', () => {
    const inbox = new Inbox(createTestClock())
    inbox.push([begin(1), end(1)])
    const taken = inbox.take(100, true)
    inbox.push([end(2)])
    inbox.putBack(taken)
    assert.deepEqual(inbox.take(100, true), [begin(1), end(1), end(2)])
  })
})
