import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { aPushPayload, signDelivery } from '../../../../adapters/forges/github/testing.ts'
import { aSecret } from '../../../foundation/secrets/testing.ts'
import { openCausesOverGit } from '../../events/testing/open-causes-over-git.ts'
import { aSource, deliver, SECRET, TEAM } from '../../sources/testing.ts'
import { createScheduler } from './scheduler.ts'
import { HOUR_MS, MINUTE_MS, openScheduling } from './testing.ts'

/** Schedules that name a repository: its commit is looked up over real Git at each fire. */

const { causes, db: causesDb, repository, server, close } = await openCausesOverGit()
await aSecret(causes.kit, causesDb, { teamPath: TEAM, name: 'reader', value: 'bot:a read token' })
const source = await causes.call(
  'POST',
  '/v1/git-webhook-sources',
  aSource({
    base_url: server.url,
    checkout_credential_ref: `secret:${TEAM}/reader`,
  }),
)
assert.equal(source.status, 201, source.text)
const cloneUrl = `${server.url}/repository.git`
const told = signDelivery(
  aPushPayload({
    after: repository.commit({ 'a.txt': 'a' }, { ref: 'refs/heads/main' }),
    repository: { full_name: 'acme/widgets', clone_url: cloneUrl },
  }),
  { secret: SECRET, deliveryId: randomUUID() },
)
assert.ok([200, 202].includes((await deliver(causes, `/v1/git/webhooks/${String(source.body['id'])}`, told)).status))

type Find = typeof causes.runs.findCheckout
let find: Find = causes.runs.findCheckout
const scheduling = await openScheduling({
  above: {
    readHead: async () => undefined,
    readRequests: async () => [],
    findCheckout: (...asked) => find(...asked),
  },
})
const { house, clock, create, fires, runs, testDatabase } = scheduling
const { scheduler } = house
after(async () => {
  await house.close()
  await close()
})
const db = testDatabase.database.kysely

const AWAY = { field: 'ref', problem: 'The commit cannot be found. Nobody answers.\0' } as const
const CHECKOUT = {
  cloneUrl: 'https://git.test/acme/widgets.git',
  commitSha: 'a'.repeat(40),
  checkoutCredentialRef: null,
}

async function only(overrides: Record<string, unknown> = {}): Promise<string> {
  await db.deleteFrom('schedules').execute()
  clock.set(new Date(Math.ceil((clock.now().getTime() + 1) / HOUR_MS) * HOUR_MS))
  return create({ cron_expression: '1 * * * *', repository: 'acme/widgets', ref: 'main', ...overrides })
}

async function pass(ms: number): Promise<void> {
  await clock.advance(ms)
  await scheduler.fire()
  await scheduler.settle()
}

async function stateOf(id: string) {
  return db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

test('a run checks out the commit at which the branch is when it fires', async () => {
  find = causes.runs.findCheckout
  const id = await only()
  const commit = repository.commit({ 'file.txt': 'as of the fire' }, { ref: 'refs/heads/main' })
  await pass(MINUTE_MS)
  const [fire] = await fires(id)
  assert.equal(fire?.outcome, 'started', fire?.reason ?? JSON.stringify(await stateOf(id)))
  const [run] = await runs(id)
  assert.deepEqual(
    [run?.commit_sha, run?.ref, run?.branch, run?.clone_url, run?.checkout_credential_ref],
    [commit, 'refs/heads/main', 'main', cloneUrl, `secret:${TEAM}/reader`],
  )
})

test('a repository that cannot be read is asked again, and the schedule fires when it can', async () => {
  find = async () => AWAY
  const id = await only()
  await pass(MINUTE_MS)
  assert.deepEqual(await fires(id), [])
  const { retry_at, retry_reason, updated_at, created_at } = await stateOf(id)
  assert.equal(retry_at?.getTime(), clock.now().getTime() + 30_000)
  assert.match(retry_reason ?? '', /Nobody answers/)
  assert.deepEqual(updated_at, created_at, 'the document is as it was')
  find = async () => CHECKOUT
  await pass(29_000)
  assert.deepEqual(await fires(id), [], 'not asked before its time')
  await pass(1000)
  const [fire] = await fires(id)
  assert.equal(fire?.outcome, 'started')
  const fired = await stateOf(id)
  assert.deepEqual([fired.retry_at, fired.retry_reason], [null, null])
})

test('it is invalid when the grace is over, with what the repository said', async () => {
  find = async () => AWAY
  const id = await only({ misfire_grace_seconds: 100 })
  await pass(MINUTE_MS)
  for (let tries = 0; tries < 3; tries += 1) await pass(30_000)
  const [fire, ...others] = await fires(id)
  assert.deepEqual(others, [])
  assert.equal(fire?.outcome, 'invalid')
  assert.equal(fire?.reason, 'The commit cannot be found. Nobody answers.\uFFFD')
  assert.equal(fire?.fired_at?.getTime(), (fire?.planned_at.getTime() ?? 0) + 90_000)
})

test('each of several instants has its whole grace', async () => {
  find = async () => AWAY
  const id = await only({ cron_expression: '* * * * *', misfire_grace_seconds: 90 })
  await pass(MINUTE_MS)
  for (let tries = 0; tries < 5; tries += 1) await pass(30_000)
  const decided = await fires(id)
  assert.ok(decided.every((fire) => (fire.fired_at?.getTime() ?? 0) - fire.planned_at.getTime() >= 60_000))
  assert.deepEqual(
    decided.map((fire) => fire.outcome),
    ['invalid', 'invalid'],
    'it does not wait for those behind it',
  )
  assert.match(decided[0]?.reason ?? '', /Nobody answers/)
  find = async () => CHECKOUT
  await pass(30_000)
  assert.ok((await runs(id)).length > 0, 'the newest one fires as soon as the repository answers')
})

test('one that is made up for is tried twice', async () => {
  find = async () => AWAY
  const id = await only({ misfire_policy: 'last', misfire_grace_seconds: 0 })
  await pass(30 * MINUTE_MS)
  assert.deepEqual(await fires(id), [])
  find = async () => CHECKOUT
  await pass(30_000)
  assert.deepEqual(
    (await fires(id)).map((fire) => fire.outcome),
    ['started'],
  )
})

test('a repository that nobody may read is invalid at once', async () => {
  find = async () => ({ field: 'repository', problem: 'No source admits it.' })
  const id = await only()
  await pass(MINUTE_MS)
  const [fire] = await fires(id)
  assert.deepEqual([fire?.outcome, fire?.reason], ['invalid', 'No source admits it.'])
})

test('an owner who loses the right while the repository is asked starts nothing', async () => {
  const id = await only()
  let lost = false
  const { means } = house
  const losing = createScheduler({
    ...means,
    access: { ...means.access, subject: async (...asked) => (lost ? undefined : means.access.subject(...asked)) },
  })
  find = async () => {
    lost = true
    return CHECKOUT
  }
  await clock.advance(MINUTE_MS)
  await losing.fire()
  await losing.settle()
  assert.deepEqual(
    (await fires(id)).map((fire) => fire.outcome),
    ['denied'],
  )
})

test('one repository that hangs has two places, and others are asked beside it', async () => {
  const first = await only()
  const hanging = [first, await create({ cron_expression: '1 * * * *', repository: 'acme/Widgets', ref: 'main' })]
  hanging.push(await create({ cron_expression: '1 * * * *', repository: 'acme/widgets', ref: 'main' }))
  const other = await create({ cron_expression: '1 * * * *', repository: 'acme/other', ref: 'main' })
  const stuck = Promise.withResolvers<typeof CHECKOUT>()
  let asked = 0
  find = async (_caller, { repository: name }) => {
    if (name === 'acme/other') return CHECKOUT
    asked += 1
    return stuck.promise
  }
  const room = Promise.withResolvers<void>()
  scheduler.onRoom(room.resolve)
  await clock.advance(MINUTE_MS)
  await scheduler.fire()
  await scheduler.fire()
  await room.promise
  assert.deepEqual([asked, (await fires(other)).length], [2, 1])
  stuck.resolve(CHECKOUT)
  await scheduler.settle()
  await scheduler.fire()
  await scheduler.settle()
  for (const id of hanging) assert.equal((await fires(id)).length, 1)
})
