import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import type { ScopeVerdict } from '#rooms/foundation/access'
import {
  aRunnablePipeline,
  type ExecutionHouse,
  FakeRunner,
  openExecution,
  sendAway,
  startRun,
} from './testing/index.ts'

const ELSEWHERE = `steps:
  - { name: there, scope: acme/other/staging, tasks: [{ name: a, run: "true" }] }
`

let house: ExecutionHouse
let runner: FakeRunner
let verdict: ScopeVerdict = 'usable'

// Registered before the database's own: hooks run in that order.
after(async () => {
  await sendAway(house, runner)
  await house.stop()
})

const { database } = await createTestDatabase()

for (const lost of ['forbidden', 'unknown'] as const) {
  test(`a run does not begin when the scope of its step is ${lost} to its initiator by then`, async () => {
    house ??= await openExecution(database, {
      judgeScope: (scope) => (scope === 'acme/other/staging' ? verdict : 'usable'),
    })
    const pipeline = await aRunnablePipeline(house, `elsewhere-${lost}`, ELSEWHERE)
    verdict = lost
    const id = await startRun(house, pipeline)
    runner ??= await FakeRunner.enrolled(house, { name: 'box' })
    await runner.connect(house)
    const run = await until(
      'the end of the run',
      () =>
        database.kysely.selectFrom('runs').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow(),
      ({ status }) => status !== 'queued',
    )
    assert.equal(run.status, 'failure')
    assert.match(run.reason ?? '', /steps\.there\.scope: .*acme\/other\/staging/)
  })
}
