import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import { createLog } from '#platform/log'
import { createTestDatabase, until } from '#platform/testing'
import { systemClock } from '#platform/time'
import { jobs, startJobWorker } from './index.ts'

const { database } = await createTestDatabase()
const told = new EventEmitter()
const hanging: unknown[] = []
let most = 0
let ended = 0

const worker = await startJobWorker(
  database,
  [
    {
      name: 'test.hang',
      apart: 2,
      async run(payload) {
        hanging.push(payload)
        most = Math.max(most, hanging.length)
        await once(told, 'go on')
        hanging.splice(hanging.indexOf(payload), 1)
        ended += 1
      },
    },
    { name: 'test.quick', run: async () => void told.emit('quick') },
  ],
  createLog({ level: 'silent', pretty: false }),
  systemClock,
)
after(() => worker.stop())

test('jobs that hang apart from the others keep only themselves waiting, so many at a time', async () => {
  const db = database.kysely
  for (const at of [1, 2, 3, 4]) await jobs.add(db, 'test.hang', { at })
  await until(
    'two that hang',
    () => hanging.length,
    (count) => count === 2,
  )
  const quick = once(told, 'quick')
  await jobs.add(db, 'test.quick', {})
  await quick
  assert.equal(hanging.length, 2)
  await until(
    'all four to end',
    () => {
      told.emit('go on')
      return ended
    },
    (count) => count === 4,
  )
  assert.equal(most, 2)
})
