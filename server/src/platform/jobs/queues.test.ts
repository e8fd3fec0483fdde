import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import { createLog } from '#platform/log'
import { createTestDatabase } from '#platform/testing'
import { systemClock } from '#platform/time'
import { jobs, startJobWorker } from './index.ts'

const { database } = await createTestDatabase()
const told = new EventEmitter()
const begun: string[] = []

const worker = await startJobWorker(
  database,
  [
    {
      name: 'test.read',
      apart: 3,
      async run(payload) {
        const name = String(payload)
        begun.push(name)
        const goOn = name.startsWith('slow') ? once(told, `end ${name}`) : undefined
        told.emit(`begun ${name}`)
        await goOn
      },
    },
  ],
  createLog({ level: 'silent', pretty: false }),
  systemClock,
)
after(() => worker.stop())

test('jobs of one queue run one after the other, in their order, and keep no other queue waiting', async () => {
  const seen = (name: string) => once(told, `begun ${name}`)
  const [slow1, other] = [seen('slow 1'), seen('other')]
  await database.pipeline([
    jobs.adding('test.read', [
      { key: 'a', payload: 'slow 1', queue: 'slow' },
      { key: 'b', payload: 'slow 2', queue: 'slow' },
      { key: 'c', payload: 'slow 3', queue: 'slow' },
    ]),
  ])
  await slow1
  await jobs.add(database.kysely, 'test.read', 'other', { queue: 'quick' })
  await other
  assert.deepEqual(begun, ['slow 1', 'other'])

  const slow2 = seen('slow 2')
  told.emit('end slow 1')
  await slow2
  const slow3 = seen('slow 3')
  told.emit('end slow 2')
  await slow3
  told.emit('end slow 3')
})
