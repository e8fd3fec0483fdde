import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { createTestDatabase, testCaller, until } from '#platform/testing'
import { aProfile } from '../../catalog/profiles/testing.ts'
import { aSnapshot } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { openStage, type Stage } from './testing/index.ts'

let stage: Stage

// Registered before the database's own: hooks run in that order.
after(async () => await stage.close())

const { database } = await createTestDatabase()
const db = database.kysely
const ada = testCaller({ acme: ['*'] }, { id: 'ada', name: 'ada' })

before(async () => {
  const snapshot = () => aSnapshot({ users: [{ id: 'ada', login: 'ada' }] })
  stage = await openStage(database, { snapshot }, { ada })
  for (const name of ['production', 'staging']) await anEnvironment(db, `acme/web/${name}`)
})

const task = (name: string, more = ''): string => `{ name: ${name}, run: "true"${more} }`
const APPROVED = `steps:
  - { name: build, tasks: [${task('make')}] }
  - name: release
    depends_on: [build]
    approval: { approvers: [user:ada], timeout: 1h, fields: [{ name: notes, type: text }] }
  - name: ship
    depends_on: [release]
    tasks: [{ name: go, run: "true", env: { NOTES: $steps.release.approval.outputs.notes } }]
`
const decide = async (id: string, decision: 'approve' | 'reject', fields = {}) =>
  await stage.call('POST', `/v1/runs/${id}/approvals/release`, { decision, fields }, 'ada')
const heldBy = async (id: string): Promise<number> =>
  (
    await db
      .selectFrom('attempts')
      .select('id')
      .where('run_id', '=', id)
      .where('status', 'in', ['leased', 'waiting'])
      .execute()
  ).length
const react = async (name: string, payload: unknown): Promise<void> => {
  const reactions = stage.house.parts.flatMap((part) => part.reactions ?? [])
  const fact = { id: '', kind: '', version: 1, payload, occurredAt: new Date() }
  await reactions.find((each) => each.name === name)?.react(fact)
}

describe('a run that reaches an approval', () => {
  test('is paused, holds no runner, and goes on with what was filled in', async () => {
    const id = await stage.start(APPROVED)
    await stage.done(id, 'make')
    const paused = await stage.reaches(id, 'paused')
    assert.deepEqual([paused.steps[1]?.status, await heldBy(id)], ['paused', 0])
    assert.equal(paused.approval_requests[0]?.step, 'release')
    assert.equal((await decide(id, 'approve', { notes: 'ship it' })).status, 200)
    assert.equal((await stage.done(id, 'go')).environment['NOTES'], 'ship it')
    const ended = await stage.reaches(id, 'success')
    assert.deepEqual(
      ended.approvals.map(({ name, decision, by }) => [name, decision, by.name]),
      [['release', 'approve', 'ada']],
    )
  })

  test('fails when it is rejected, whatever is ignored', async () => {
    const id = await stage.start(APPROVED.replace('tasks: [{ name: go', 'ignore_failure: true\n    tasks: [{ name: go'))
    await stage.done(id, 'make')
    await stage.reaches(id, 'paused')
    assert.equal((await decide(id, 'reject')).status, 200)
    assert.match((await stage.reaches(id, 'failure')).reason ?? '', /rejected/)
  })

  test('is timed out when nobody decides in time', async () => {
    const id = await stage.start(APPROVED)
    await stage.done(id, 'make')
    await stage.reaches(id, 'paused')
    await db
      .updateTable('approval_requests')
      .set({ deadline_at: new Date(0) })
      .where('run_id', '=', id)
      .execute()
    const request = await db.selectFrom('approval_requests').select('id').where('run_id', '=', id).executeTakeFirst()
    const jobs = stage.house.parts.flatMap((part) => part.jobs ?? [])
    await jobs.find(({ name }) => name === 'approvals.expire')?.run({ id: request?.id }, new AbortController().signal)
    assert.equal((await stage.reaches(id, 'timed_out')).steps[2]?.status, 'canceled')
  })

  test('has all its time left when it goes on', async () => {
    const id = await stage.start(`timeout: 1h\n${APPROVED}`)
    await stage.done(id, 'make')
    const first = (await stage.reaches(id, 'paused')).deadline_at ?? ''
    await decide(id, 'approve', { notes: '' })
    await stage.done(id, 'go')
    const { deadline_at: later } = await stage.reaches(id, 'success')
    assert.ok(Date.parse(later ?? '') > Date.parse(first))
  })
})

describe('a run in hand', () => {
  const IGNORED = `steps:
  - { name: a, ignore_failure: true, tasks: [${task('bad')}] }
  - { name: b, depends_on: [a], tasks: [${task('good')}] }
`

  test('ends as a warning when what failed is ignored, and all else succeeds', async () => {
    const id = await stage.start(IGNORED)
    stage.runner.finish((await stage.given(id, 'bad')).fence, Result.FAILURE)
    await stage.done(id, 'good')
    const ended = await stage.reaches(id, 'warning')
    assert.deepEqual(
      ended.steps.map((step) => [step.status, step.tasks[0]?.status]),
      [
        ['warning', 'failure (ignored)'],
        ['success', 'success'],
      ],
    )
  })

  test('shows how long a short task took, although its begin and its end are stored together', async () => {
    const id = await stage.start(`steps: [{ name: s, tasks: [${task('short')}] }]`)
    const { fence } = await stage.given(id, 'short')
    const { runner } = stage
    runner.start(fence)
    const sequence = BigInt(fence)
    runner.beat([fence], sequence)
    // All messages before the heartbeat were received.
    await until(
      'the heartbeat to be answered',
      () => runner.heartbeatAcks.some((ack) => ack.sequence === sequence),
      (answered) => answered,
    )
    const heardAt = Date.now()
    await until('time to pass', Date.now, (now) => now > heardAt + 1)
    const endedAt = Date.now()
    runner.finish(fence)
    const { steps } = await stage.reaches(id, 'success')
    const begins = [steps[0]?.started_at, steps[0]?.tasks[0]?.started_at]
    for (const begin of begins) assert.ok(Date.parse(begin ?? '') < endedAt, String(begin))
  })

  test('ends as a failure otherwise, and what depends on it does not begin', async () => {
    const id = await stage.start(IGNORED.replace('ignore_failure: true, ', ''))
    stage.runner.finish((await stage.given(id, 'bad')).fence, Result.FAILURE)
    const ended = await stage.reaches(id, 'failure')
    assert.match(ended.reason ?? '', /step a: task bad failed/)
    assert.equal(ended.steps[1]?.status, 'skipped')
  })

  test('is timed out by its own limit', async () => {
    const id = await stage.start(`timeout: 1s\nsteps: [{ name: a, tasks: [${task('slow')}] }]\n`)
    const slow = await stage.given(id, 'slow')
    await until(
      'its end to be asked for',
      () => stage.runner.cancels.some(({ fence }) => fence === slow.fence),
      (told) => told,
    )
    stage.runner.finish(slow.fence, Result.CANCELED)
    assert.match((await stage.reaches(id, 'timed_out')).reason ?? '', /time limit of the run/)
  })

  test('is canceled, also while it is paused: then nobody is asked any more', async () => {
    const id = await stage.start(APPROVED)
    await stage.done(id, 'make')
    await stage.reaches(id, 'paused')
    assert.equal((await stage.call('POST', `/v1/runs/${id}/cancel`, { reason: 'never mind' })).status, 202)
    const ended = await stage.reaches(id, 'canceled')
    assert.deepEqual([ended.reason, ended.steps[1]?.status], ['never mind', 'canceled'])
    await react('approvals.withdraw', { run_id: id, status: 'canceled' })
    assert.equal((await decide(id, 'approve')).status, 409)
  })
})

describe('policies', () => {
  const policy = async (name: string, rule: string, at: string): Promise<void> => {
    const body = {
      team_path: 'acme',
      name,
      kind: 'policy',
      scope: '**',
      rule,
      at,
      message: `The rule ${name} forbids it.`,
      text: '',
    }
    const answer = await stage.call('POST', '/v1/knowledge', body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
  }

  test('fail what they forbid, and are pinned as run, step and task begin', async () => {
    await policy('no-rm', '!task.commands.contains("rm -rf")', 'task')
    await policy('no-friday', '!("DAY" in run.variables) || run.variables.DAY != "friday"', 'run')
    const document = 'variables: { DAY: monday }\nsteps:\n  - { name: a, tasks: [{ name: ok, run: "true" }] }\n'
    const id = await stage.start(
      `${document}  - { name: b, depends_on: [a], ignore_failure: true, tasks: [{ name: bad, run: rm -rf / }] }\n`,
    )
    await stage.done(id, 'ok')
    const ended = await stage.reaches(id, 'failure')
    assert.match(ended.reason ?? '', /The rule no-rm forbids it/)
    const places = ended.pins.filter((pin) => pin.item === 'acme/no-rm').map(({ step, task: of }) => [step, of])
    assert.deepEqual(places, [
      [null, null],
      ['a', null],
      ['a', 'ok'],
      ['b', null],
      ['b', 'bad'],
    ])

    const refused = await stage.start(document, { variables: { DAY: 'friday' } })
    const never = await stage.reaches(refused, 'failure')
    assert.match(never.reason ?? '', /The rule no-friday forbids it/)
    assert.equal(never.started_at, null)
  })

  test('an emergency ends what runs in its scope, and what is new waits until it is lifted', async () => {
    const id = await stage.start(`steps: [{ name: a, tasks: [${task('slow')}] }]\n`)
    const slow = await stage.given(id, 'slow')
    const declared = await stage.call('POST', '/v1/emergencies', { scope: 'acme/web/**', reason: 'A leak.' })
    assert.equal(declared.status, 201)
    await react('runs.cancel-in-emergency', { scope: 'acme/web/**', reason: 'A leak.' })
    await until(
      'its end to be asked for',
      () => stage.runner.cancels.some(({ fence }) => fence === slow.fence),
      (told) => told,
    )
    stage.runner.finish(slow.fence, Result.CANCELED)
    assert.match((await stage.reaches(id, 'canceled')).reason ?? '', /emergency in acme\/web\/\*\*: A leak/)
    const next = await stage.start(`steps: [{ name: a, tasks: [${task('later')}] }]\n`)
    const waits = await stage.show(next)
    assert.equal(waits.status, 'queued')
    assert.match(waits.queue_reason ?? '', /An emergency holds in acme\/web\/production.*A leak/)
    assert.equal((await stage.call('POST', `/v1/emergencies/${declared.body.id}/lift`)).status, 200)
    await stage.done(next, 'later')
    await stage.reaches(next, 'success')
  })
})

describe('the queue', () => {
  let gpu = ''
  before(async () => {
    gpu = await aProfile(db, 'acme/web/gpu', { labels: ['gpu'] })
  })
  /** A pipeline that no runner takes. */
  const nobodys = async (document: string): Promise<(more?: Readonly<Record<string, unknown>>) => Promise<string>> => {
    const identifier = await stage.store(`profile: gpu\n${document}`)
    await db.updateTable('pipelines').set({ profile_id: gpu }).where('identifier', '=', identifier).execute()
    return async (more = {}) => {
      const body = { scope: 'acme/web/production', ...more }
      const answer = await stage.call('POST', `/v1/pipelines/${encodeURIComponent(identifier)}/runs`, body)
      assert.equal(answer.status, 202, JSON.stringify(answer.body))
      return answer.body.run_id
    }
  }

  test('says its place, why nobody takes it runner by runner, and ends what waited too long', async () => {
    const id = await (await nobodys(`queue_timeout: 1h\nsteps: [{ name: a, tasks: [${task('never')}] }]\n`))()
    const waits = await stage.show(id)
    assert.deepEqual([waits.queue_position, waits.queue_blockers[0]?.verdict], [1, 'The runner lacks the label gpu.'])
    assert.match(waits.queue_reason ?? '', /No runner that serves .* has the label gpu/)
    await db
      .updateTable('runs')
      .set({ queue_deadline_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    const ended = await stage.reaches(id, 'timed_out')
    assert.match(ended.reason ?? '', /^No runner took it within 1h\. No runner that serves .* has the label gpu\.$/)
  })

  test('starts the higher priority first', async () => {
    const start = await nobodys(`priority: 5\nsteps: [{ name: a, tasks: [${task('some')}] }]\n`)
    const [normal, high] = [await start({}), await start({ priority: 90 })]
    const shown = [await stage.show(normal), await stage.show(high)]
    assert.deepEqual(
      shown.map(({ priority, queue_position }) => [priority, queue_position]),
      [
        [5, 2],
        [90, 1],
      ],
    )
    await assert.rejects(start({ priority: 101 }), /must be <= 100/)
    for (const id of [normal, high]) await stage.call('POST', `/v1/runs/${id}/cancel`)
  })

  test('puts a run into the group that its pipeline says', async () => {
    const document = `variables: { PLACE: north }
concurrency: { group: "deploy-\${{ variables.PLACE }}", on_conflict: queue }
steps: [{ name: a, tasks: [${task('some')}] }]\n`
    const begin = await nobodys(document)
    const start = async (place: string) => await begin({ variables: { PLACE: place } })
    const [first, second, other] = [await start('north'), await start('north'), await start('south')]
    assert.match((await stage.show(second)).queue_reason ?? '', new RegExp(`group deploy-north, behind run ${first}`))
    assert.deepEqual((await stage.show(other)).concurrency, { group: 'deploy-south', on_conflict: 'queue' })
    assert.equal((await stage.show(other)).queue_position, 2)
  })
})

describe('steps and tasks', () => {
  test('run in the scope of their step and with the profile that they name', async () => {
    await aProfile(db, 'acme/web/boxed', {
      executor: 'container',
      image: 'node:24',
      labels: [],
      environment: { FROM: 'boxed' },
      resources: { cpus: 2, memory_mb: 64 },
    })
    const id = await stage.start(`steps:
  - { name: a, scope: acme/web/staging, tasks: [${task('there', ', checkout: false')}] }
  - name: b
    tasks: [{ name: boxed, run: "true", profile: boxed, user: node, services: [{ name: db, image: "postgres:18" }] }]
`)
    const there = await stage.given(id, 'there')
    assert.deepEqual([there.scope, there.sharedWorkspace, there.container], ['acme/web/staging', undefined, undefined])
    const waits = await until(
      'the other to wait',
      () => stage.show(id),
      (run) => run.steps[1]?.tasks[0]?.status === 'ready',
    )
    assert.match(waits.steps[1]?.tasks[0]?.waiting_reason ?? '', /can run tasks in containers/)
    stage.runner.executors = ['host', 'container']
    await stage.runner.connect(stage.house, [there.fence])
    const boxed = await stage.given(id, 'boxed')
    const { image, user, limits, services } = boxed.container ?? assert.fail('a container')
    assert.deepEqual([image, user, limits?.cpus, limits?.memoryMb, services[0]?.name], ['node:24', 'node', 2, 64, 'db'])
    assert.equal(boxed.environment['FROM'], 'boxed')
    for (const { fence } of [there, boxed]) stage.runner.finish(fence)
    await stage.reaches(id, 'success')
  })

  test('know their combination of a matrix', async () => {
    const id = await stage.start(
      'steps: [{ name: a, matrix: { node-version: ["22", "24"] }, tasks: [{ name: t, run: "true" }] }]\n',
    )
    assert.equal((await stage.done(id, 't-22')).environment['MATRIX_NODE_VERSION'], '22')
    await stage.done(id, 't-24')
    await stage.reaches(id, 'success')
  })
})
