import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MOST_STREAMS } from '#platform/sse'
import { until } from '#platform/testing'
import { aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { aRun } from './rooms/execution/runs/testing.ts'
import { aMember } from './rooms/foundation/access/testing.ts'
import { aTeam } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

// Each stream of a run looks at it again and again: whoever may only read must not slow everybody down by thousands.

const { db, http } = await openTestHouse()
const url = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`
const opened = new Set<AbortController>()
after(() => {
  for (const each of opened) each.abort()
})
await aTeam(db, 'acme')
const run = await aRun(db, await aPipeline(db, 'acme/build'), { teamPath: 'acme' })
// The setup is over.
await aMember(db, 'root', 'administrator', '/')
const viewer = await aMember(db, 'viewer', 'viewer', 'acme')
const other = await aMember(db, 'other', 'viewer', 'acme')

async function open({ headers }: typeof viewer, path: string) {
  const closing = new AbortController()
  opened.add(closing)
  const answer = await fetch(`${url}/v1/runs/${run}${path}`, { headers, signal: closing.signal })
  return { answer, close: () => closing.abort() }
}

for (const [path, code] of [
  ['/events', 'run.too_many_streams'],
  ['/logs/stream', 'log.too_many_streams'],
] as const) {
  test(`${path}: one account has ${MOST_STREAMS} streams at most, and one that ends makes room`, async () => {
    const streams = await Promise.all(Array.from({ length: MOST_STREAMS }, () => open(viewer, path)))
    assert.deepEqual(new Set(streams.map(({ answer }) => answer.status)), new Set([200]))
    const { answer } = await open(viewer, path)
    assert.equal(answer.status, 429)
    assert.ok(answer.headers.get('retry-after'))
    assert.match(await answer.text(), new RegExp(code))
    assert.equal((await open(other, path)).answer.status, 200, 'others are not concerned')
    streams[0]?.close()
    await until(
      'room for another one',
      async () => (await open(viewer, path)).answer.status,
      (status) => status === 200,
    )
    for (const { close } of streams) close()
  })
}
