import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#platform/log'
import { createTestClock, createTestDatabase, until } from '#platform/testing'
import type { InboxItem } from '../rules/inbox.ts'
import { RunnerSessions } from '../sessions/runner-sessions.ts'
import { type ExecutionHouse, openExecution } from '../testing/index.ts'
import { Dispatcher, type DispatcherNeeds } from './dispatcher.ts'

let house: ExecutionHouse | undefined

// Registered before the database's own: hooks run in that order.
after(async () => await house?.stop())

const { database } = await createTestDatabase()

test('policies that cannot be read are said once, keep what has arrived, and are said again once they could be', async () => {
  const said: string[] = []
  const clock = createTestClock()
  const log = createLog({ level: 'error', pretty: false, destination: { write: (line) => void said.push(line) } })
  house = await openExecution(database, { dispatches: false })
  const { runs, approvals, pipelines, knowledge, runners, kit } = house
  let readable = false
  let tries = 0
  const stored: InboxItem[] = []
  const needs: DispatcherNeeds = {
    progress: runs.progress,
    approvals,
    pipelines,
    knowledge: {
      ...knowledge,
      async snapshot() {
        tries += 1
        if (!readable) throw new RangeError('no rule is like that')
        return await knowledge.snapshot()
      },
    },
    sessions: new RunnerSessions(runners),
    queue: runs.queue,
    findRefusal: async () => undefined,
    findChildRefusal: async () => undefined,
    assign: () => undefined,
    observe: (items) => void stored.push(...items),
  }
  const dispatcher = new Dispatcher({ ...kit, clock, log }, needs)
  const cancel = (runId: string): InboxItem => ({
    kind: 'event',
    runId,
    event: { type: 'cancel_requested', reason: 'x' },
  })
  const triesToBe = (count: number) =>
    until(
      `try ${count}`,
      async () => {
        await clock.advance(250)
        return tries
      },
      (made) => made >= count,
    )
  dispatcher.push(cancel(kit.ids.next()))
  await triesToBe(3)
  assert.equal(said.length, 1)
  assert.equal(stored.length, 0)
  readable = true
  await until(
    'the round',
    async () => {
      await clock.advance(250)
      return stored
    },
    (items) => items.length === 1,
  )
  readable = false
  dispatcher.push(cancel(kit.ids.next()))
  await triesToBe(tries + 2)
  assert.equal(said.length, 2)
  await dispatcher.close()
})
