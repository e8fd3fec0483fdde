import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock, createTestDatabase, createTestKit } from '#platform/testing'
import type { InboxItem } from '../rules/inbox.ts'
import { Isolation, type IsolationPorts, type Tried } from './isolation.ts'

const { database } = await createTestDatabase()

const end = (fence: number, outputs: Readonly<Record<string, string>> = {}): InboxItem => ({
  kind: 'finished',
  runnerId: 'runner',
  assignment: { fence, attemptId: `attempt-${fence}`, runId: 'run', step: 'step', task: `task-${fence}`, number: 1 },
  finished: { result: 'success', exitCode: 0, reason: '', outputs, startedAt: null },
})
const refused = { is: 'refused', error: new Error('poison'), claimed: new Set<string>() } as const

const anIsolation = (attempt: (items: readonly InboxItem[]) => Tried) => {
  const clock = createTestClock()
  const stored: InboxItem[] = []
  const pushed: InboxItem[] = []
  const ports: IsolationPorts = {
    async attempt(items) {
      const tried = attempt(items)
      if (tried.is === 'stored') stored.push(...items)
      return tried
    },
    async fail() {
      throw new Error('no')
    },
    push: (items) => void pushed.push(...items),
  }
  return { clock, stored, pushed, isolation: new Isolation(createTestKit(database, { clock }), ports) }
}

describe('a run that is at fault', () => {
  test('and can be neither moved nor ended keeps its results, also where attempts of it were claimed', async () => {
    const { clock, pushed, isolation } = anIsolation(() => refused)
    assert.equal(await isolation.isolate([end(1)], { ...refused, claimed: new Set(['run']) }), true)
    assert.deepEqual(isolation.sift([end(2)]), [])
    await clock.advance(60_000)
    assert.deepEqual(pushed, [end(1), end(2)])
    assert.deepEqual(isolation.asideIds, [])
  })

  test('for what one result holds loses that one, and no other that came with it', async () => {
    const isPoison = (item: InboxItem) => item.kind === 'finished' && 'poison' in item.finished.outputs
    const { stored, isolation } = anIsolation((items) => (items.some(isPoison) ? refused : { is: 'stored' }))
    assert.equal(await isolation.isolate([end(1), end(2, { poison: 'yes' }), end(3)], refused), true)
    assert.deepEqual(
      stored.map((item) => item.kind === 'finished' && [item.assignment.fence, item.finished.result]),
      [
        [1, 'success'],
        [2, 'failure'],
        [3, 'success'],
      ],
    )
    assert.deepEqual(isolation.asideIds, [])
  })
})
