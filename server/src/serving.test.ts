import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RoomParts } from '#platform/room'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator } from '#platform/testing'
import { systemClock } from '#platform/time'
import { createServing } from './serving.ts'

const { database } = await createTestDatabase()
/** A hundred times as fast as time is. */
const clock = {
  ...systemClock,
  after(ms: number, callback: () => void) {
    const timer = setTimeout(callback, ms / 100)
    return { cancel: () => clearTimeout(timer) }
  },
}
const kit = createTestKit(database, {
  clock,
  env: { ROLES: 'api', PORT: '0', SHUTDOWN_GRACE_SECONDS: '1' },
})

test('a part that fails to end, or hangs, does not keep the others from ending', async () => {
  const ended: string[] = []
  const room = (name: string, close: () => Promise<void>): RoomParts<unknown> => ({
    door: undefined,
    loops: [
      {
        name,
        role: 'api',
        async run(signal) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          ended.push(`loop ${name}`)
        },
      },
    ],
    close,
  })
  const rooms = [
    room('cellar', async () => void ended.push('cellar')),
    room('hanging', () => new Promise(() => undefined)),
    room('failing', () => Promise.reject(new Error('no'))),
    room('roof', async () => void ended.push('roof')),
  ]
  const http = await createTestHttp([], testAuthenticator({}))
  const serving = createServing(kit, { rooms, http, jobs: [], certificates: { api: undefined, runners: undefined } })
  const { url } = await serving.start()
  assert.equal((await fetch(`${url}/v1/openapi.json`)).status, 200)
  await serving.stop()
  assert.deepEqual(ended.slice(-2), ['roof', 'cellar'], 'from roof to cellar')
  assert.equal(ended.length, 6)
  await assert.rejects(fetch(`${url}/v1/openapi.json`))
})
