import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#platform/log'
import { createTestClock, createTestDatabase, until } from '#platform/testing'
import type { Means } from '../means.ts'
import type { InboxItem } from '../rules/inbox.ts'
import { type ExecutionHouse, openExecution } from '../testing/index.ts'
import { Dispatcher } from './dispatcher.ts'

let house: ExecutionHouse | undefined

// Registered before the database's own: hooks run in that order.
after(async () => await house?.stop())

const { database } = await createTestDatabase()

test('policies that cannot be read are said once, keep what has arrived, and are said again once they could be', async () => {
  const said: string[] = []
  const clock = createTestClock()
  const log = createLog({ level: 'error', pretty: false, destination: { write: (line) => void said.push(line) } })
  house = await openExecution(database, { dispatches: false })
  const { knowledge, kit } = house
  let readable = false
  let tries = 0
  const stored: InboxItem[] = []
  const means: Means = {
    ...house.means,
    clock,
    log,
    knowledge: {
      ...knowledge,
      async snapshot() {
        tries += 1
        if (!readable) throw new RangeError('no rule is like that')
        return await knowledge.snapshot()
      },
    },
  }
  const dispatcher = new Dispatcher(means, {
    assign: () => undefined,
    observe: (items) => void stored.push(...items),
  })
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
