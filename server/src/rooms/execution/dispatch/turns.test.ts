import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import type { NewRun } from '#rooms/execution/runs'
import { aRunnablePipeline, openStage, type Stage } from './testing/index.ts'

/** The runner of these tests says nothing by itself. */
const LONG = { LEASE_SECONDS: '60', HEARTBEAT_SECONDS: '20' }

let stage: Stage
let web: Omit<NewRun, 'cause'>
let twoSteps: Omit<NewRun, 'cause'>

// Registered before the database's own: hooks run in that order.
after(async () => await stage.close())

const { database } = await createTestDatabase()

before(async () => {
  stage = await openStage(database, { env: LONG }, {}, 1)
  web = await aRunnablePipeline(stage.house, 'web', 'steps: [{ name: one, tasks: [{ name: a, run: "true" }] }]\n')
  twoSteps = await aRunnablePipeline(
    stage.house,
    'two',
    'steps:\n  - { name: one, tasks: [{ name: a, run: "true" }] }\n  - { name: two, depends_on: [one], tasks: [{ name: b, run: "true" }] }\n',
  )
})

/** The same run for the same runners, of another team. */
const of = (teamPath: string, priority = 0, run = web): NewRun => ({
  ...run,
  cause: 'request',
  priority,
  pipeline: { ...run.pipeline, teamPath },
})
/** Queues them all at once, in this order, while the only place of the only runner is taken. */
const queued = async (...runs: readonly NewRun[]): Promise<{ readonly ids: readonly string[]; free(): void }> => {
  const id = await stage.house.kit.database.transaction((tx) => stage.house.runs.queue(tx, [of('acme/busy')]))
  stage.house.dispatch.poke()
  const { fence } = await stage.given(id[0] ?? '', 'a')
  const ids = await stage.house.kit.database.transaction((tx) => stage.house.runs.queue(tx, runs))
  return { ids, free: () => stage.runner.finish(fence) }
}
/** Works off so many assignments, one at a time; answers whose they were. */
const served = async (count: number): Promise<readonly string[]> => {
  const order: string[] = []
  const already = stage.runner.assigns.length
  for (let at = 0; at < count; at++) {
    const assign = await stage.runner.assigned(already + at + 1)
    order.push(assign.runId)
    stage.runner.finish(assign.fence)
  }
  return order
}
const places = async (ids: readonly string[]) =>
  await Promise.all(ids.map(async (id) => (await stage.show(id)).queue_position))

describe('runs that wait for the same places', () => {
  test('of several teams take turns, one place at a time, as their positions say', async () => {
    const { ids, free } = await queued(
      ...Array.from({ length: 4 }, () => of('acme/many', 100)),
      of('acme/few'),
      of('acme/few'),
      of('beta/one'),
    )
    const [m1 = '', m2 = '', m3 = '', m4 = '', f1 = '', f2 = '', b1 = ''] = ids
    const expected = [m1, b1, f1, m2, f2, m3, m4]
    assert.deepEqual(await places(expected), [1, 2, 3, 4, 5, 6, 7])
    const waits = await stage.show(m4)
    assert.equal(
      waits.queue_reason,
      'The only runner that serves the scope acme/web/production, box, has no free slot. 1 of 1 place is taken. 6 runs are before it.',
    )
    assert.equal(waits.queue_blockers[0]?.verdict, 'The runner has no free slot.')
    free()
    assert.deepEqual(await served(7), expected)
    await until(
      'the last to end',
      () => stage.show(m4),
      ({ status }) => status === 'success',
    )
  })

  test('go by priority, then by age, within one team', async () => {
    const { ids, free } = await queued(of('acme/own', -5), of('acme/own', 5), of('acme/own', 5), of('acme/own'))
    const [low = '', high = '', next = '', normal = ''] = ids
    free()
    assert.deepEqual(await served(4), [high, next, normal, low])
    await until(
      'the last to end',
      () => stage.show(low),
      ({ status }) => status === 'success',
    )
  })

  test('let a run end that had its turn, however old the others are', async () => {
    const { ids, free } = await queued(of('acme/old'), of('acme/old'), of('acme/young', 0, twoSteps))
    const [first = '', second = '', young = ''] = ids
    free()
    assert.deepEqual(await served(4), [first, young, young, second])
    await until(
      'the last to end',
      () => stage.show(second),
      ({ status }) => status === 'success',
    )
  })
})
