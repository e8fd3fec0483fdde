import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { toJsonString } from '@bufbuild/protobuf'
import { type Assign, AssignSchema } from '@signalbox/contracts/runner'
import type { HttpServer } from '#platform/http'
import { createTestDatabase, createTestHttp, testAuthenticator, testCaller, until } from '#platform/testing'
import type { NewRun } from '#rooms/execution/runs'
import { aSnapshot } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { aRunnablePipeline, type ExecutionHouse, FakeRunner, openExecution, sendAway } from './testing/index.ts'

const SECRET = 'hunter2-hunter2'
const CREDENTIAL = 'token-of-the-checkout'
const DOCUMENT = `variables: { COLOUR: red }
secrets: { TOKEN: acme/web/npm }
steps:
  - name: one
    tasks:
      - name: make
        run: echo "token=x" >> "$SIGNALBOX_OUTPUT"
        outputs: { token: { sensitive: true } }
  - name: two
    depends_on: [one]
    tasks:
      - name: use
        run: echo "$TOKEN"
        env: { MADE: $steps.one.make.outputs.token }
`

const PRIVATE = `steps:
  - name: one
    tasks:
      - name: make
        run: "true"
        image: ghcr.io/acme/web
        registry_credential: { ghcr.io: acme/web/npm }
`

let house: ExecutionHouse
let http: HttpServer
let runner: FakeRunner
let runnable: Omit<NewRun, 'cause'>
/** A run with an image that needs a password. */
let isolated: Omit<NewRun, 'cause'>

// Registered before the database's own: hooks run in that order.
after(async () => {
  await http.close(100)
  await house.stop()
})
afterEach(() => sendAway(house, runner))

const { database } = await createTestDatabase()
const db = database.kysely
let count = 0

before(async () => {
  // The initiator may start runs and use scopes, and has no secret.read.
  const snapshot = () => aSnapshot({ users: [{ id: 'ada', login: 'ada' }] })
  house = await openExecution(database, { subject: () => testCaller({ acme: ['run.start'] }), snapshot })
  runnable = await aRunnablePipeline(house, 'build', DOCUMENT)
  isolated = await aRunnablePipeline(house, 'isolated', PRIVATE)
  await anEnvironment(db, 'acme/web/guarded', { protected: true })
  await aSecret(house.kit, db, { teamPath: 'acme/web', name: 'npm', value: SECRET })
  await aSecret(house.kit, db, { teamPath: 'acme/web', name: 'git', value: CREDENTIAL })
  http = await createTestHttp(
    house.parts.flatMap((part) => part.routes ?? []),
    testAuthenticator({
      member: testCaller(),
      ada: testCaller({ acme: ['*'] }, { id: 'ada', name: 'ada' }),
      operator: testCaller({ acme: ['run.read', 'run.rerun', 'run.approve'] }),
    }),
  )
})

const post = async (url: string, body: unknown = undefined, who = 'member') => {
  const answer = await http.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${who}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const connected = async (executors = ['host']) => {
  count += 1
  runner = await FakeRunner.enrolled(house, { name: `box${count}`, scopes: ['acme/**'] })
  runner.executors = executors
  await runner.connect(house)
}
const queue = async (more: Partial<NewRun>) => {
  const run: NewRun = {
    ...runnable,
    cause: 'event',
    repository: 'acme/widgets',
    cloneUrl: 'https://git.example/acme/widgets.git',
    ref: 'refs/pull/7/head',
    commitSha: 'a'.repeat(40),
    checkoutCredentialRef: 'secret:acme/web/git',
    ...more,
  }
  const [id = ''] = await database.transaction((tx) => house.runs.queue(tx, [run]))
  house.dispatch.poke()
  return id
}
const finished = async (id: string) =>
  await until(
    'the run to finish',
    () => db.selectFrom('runs').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow(),
    ({ status }) => !['queued', 'running', 'paused'].includes(status),
  )
/** Both assignments of the run; its first task makes a sensitive output. */
const play = async (id: string): Promise<readonly Assign[]> => {
  const next = (task: string) =>
    until(
      `${task} to be assigned`,
      () => runner.assigns.find((each) => each.runId === id && each.task === task),
      (found) => found !== undefined,
    )
  const first = await next('make')
  assert.ok(first)
  runner.finish(first.fence, undefined, [{ name: 'token', value: 'made-by-the-task' }])
  const second = await next('use')
  assert.ok(second)
  runner.finish(second.fence)
  assert.equal((await finished(id)).status, 'success')
  return [first, second]
}
const requireNoSecret = (assigns: readonly Assign[]) => {
  for (const assign of assigns) {
    assert.doesNotMatch(toJsonString(AssignSchema, assign), new RegExp(SECRET))
    assert.ok(!('TOKEN' in assign.environment), 'the name is absent, not empty')
    assert.equal(assign.environment['COLOUR'], 'red')
  }
}

describe('an untrusted run', () => {
  test('gets no password of a registry', async () => {
    await connected(['host', 'container'])
    const id = await queue({ ...isolated, untrusted: true })
    const assign = await until(
      'the task to be assigned',
      () => runner.assigns.find((each) => each.runId === id),
      (found) => found !== undefined,
    )
    assert.ok(assign)
    assert.equal(assign.container?.image, 'ghcr.io/acme/web')
    assert.deepEqual(assign.container.registryLogins, [])
    assert.doesNotMatch(toJsonString(AssignSchema, assign), new RegExp(SECRET))
    runner.finish(assign.fence)
    assert.equal((await finished(id)).status, 'success')
  })

  test('gets no secret, held and approved or not; a trusted one of the same pipeline does', async () => {
    await connected()
    requireNoSecret(await play(await queue({ untrusted: true })))
    const held = await queue({ untrusted: true, hold: { kind: 'fork_approval', pullRequest: 7 } })
    assert.equal((await post(`/v1/runs/${held}/approvals/fork`, { decision: 'approve' }, 'operator')).status, 200)
    requireNoSecret(await play(held))

    const refused = await finished(await queue({}))
    assert.match(refused.reason ?? '', /secrets\.[A-Z_]+: .* may not use the secrets/)
  })

  test('of an initiator who may read secrets gets none either; what tasks make stays masked', async () => {
    const other = await openExecution(database, { subject: () => testCaller(), kit: { sealer: house.kit.sealer } })
    runner = await FakeRunner.enrolled(other, { name: 'rich', scopes: ['acme/**'] })
    await runner.connect(other)
    try {
      const [, second] = await play(await queue({ untrusted: true }))
      assert.ok(second)
      requireNoSecret([second])
      assert.equal(second.environment['MADE'], 'made-by-the-task')
      assert.deepEqual(second.maskedValues, ['made-by-the-task'])
      const [trusted] = await play(await queue({}))
      assert.equal(trusted?.environment['TOKEN'], SECRET)
      assert.ok(trusted?.maskedValues.includes(SECRET))
    } finally {
      runner.leave()
      await other.stop()
    }
  })

  test('is checked out with the credential of its source', async () => {
    await connected()
    const [first] = await play(await queue({ untrusted: true }))
    assert.equal(first?.checkout?.password, CREDENTIAL)
    assert.ok(!Object.values(first?.environment ?? {}).includes(CREDENTIAL))
  })

  test('is refused on a protected scope, and on one that is gone', async () => {
    await connected()
    const guarded = await finished(await queue({ untrusted: true, scope: 'acme/web/guarded' }))
    assert.deepEqual(guarded, {
      status: 'failure',
      reason:
        'The scope acme/web/guarded is protected, and the run is of a pull request from a fork or an unknown place.',
    })
    assert.equal((await finished(await queue({ untrusted: true, scope: 'acme/web/gone' }))).status, 'failure')
    assert.ok(!runner.assigns.some((each) => each.scope !== 'acme/web/production'))
  })

  const protect = () => db.updateTable('environments').set({ protected: true }).where('name', '=', 'later').execute()
  const remove = () => db.deleteFrom('environments').where('name', '=', 'later').execute()
  for (const [what, own, ofStep] of [
    ['its scope', 'acme/web/later', ''],
    ['the scope of a step', 'acme/web/production', 'scope: acme/web/later, '],
  ] as const) {
    for (const [why, change] of [
      ['protected', protect],
      ['gone', remove],
    ] as const) {
      test(`goes no further once ${what} is ${why}, which came while it waited for people`, async () => {
        await connected()
        await anEnvironment(db, 'acme/web/later')
        count += 1
        const { pipeline } = await aRunnablePipeline(
          house,
          `signed${count}`,
          `steps:
  - { name: sign, approval: { approvers: [user:ada] } }
  - { name: ship, depends_on: [sign], ${ofStep}tasks: [{ name: go, run: "true" }] }
`,
        )
        const pullRequest = 7
        const hold = { kind: 'fork_approval', pullRequest } as const
        const id = await queue({ pipeline, untrusted: true, scope: own, pullRequest, hold })
        assert.equal((await post(`/v1/runs/${id}/approvals/fork`, { decision: 'approve' }, 'operator')).status, 200)
        await until(
          'the run to wait for a signature',
          () => db.selectFrom('runs').select('status').where('id', '=', id).executeTakeFirstOrThrow(),
          ({ status }) => status === 'paused',
        )
        await change()
        assert.equal((await post(`/v1/runs/${id}/approvals/sign`, { decision: 'approve' }, 'ada')).status, 200)
        const { status, reason } = await finished(id)
        assert.equal(status, 'failure')
        const sentence = `The scope acme/web/later is ${why}, and the run is of a pull request from a fork or an unknown place.`
        assert.ok(reason?.includes(sentence), String(reason))
        assert.deepEqual(runner.assigns, [])
        await remove()
      })
    }
  }

  test('is untrusted when it is run again, by whomever, and waits for an approval only where it had none', async () => {
    await connected()
    const pullRequest = 7
    const held = await queue({ untrusted: true, pullRequest, hold: { kind: 'fork_approval', pullRequest } })
    const early = await post(`/v1/runs/${held}/rerun`)
    assert.equal(early.status, 202)
    assert.equal((await post(`/v1/runs/${held}/approvals/fork`, { decision: 'approve' }, 'operator')).status, 200)
    requireNoSecret(await play(held))
    const again = await post(`/v1/runs/${held}/rerun`)
    requireNoSecret(await play(again.body.run_id))
    // An operator without secret.read may rerun it: there are none to read.
    const third = await post(`/v1/runs/${again.body.run_id}/rerun`, undefined, 'operator')
    requireNoSecret(await play(third.body.run_id))
    const rows = await db
      .selectFrom('runs')
      .select(['untrusted', 'pull_request', 'withheld', 'concurrency_group'])
      .where('rerun_of', 'is not', null)
      .orderBy('id')
      .execute()
    const rerun = { untrusted: true, pull_request: 7, concurrency_group: null }
    assert.deepEqual(rows, [
      { ...rerun, withheld: 'fork_approval' },
      { ...rerun, withheld: null },
      { ...rerun, withheld: null },
    ])
  })

  test('is not run again on a protected scope', async () => {
    await connected()
    const id = await queue({ untrusted: true, scope: 'acme/web/guarded' })
    await finished(id)
    const again = await post(`/v1/runs/${id}/rerun`)
    assert.equal(again.status, 403)
    assert.match(again.body.detail, /protected/)
  })
})

test('no credential goes to a runner for an address at which everybody on the way could read it', async () => {
  await connected()
  const id = await queue({ untrusted: true, cloneUrl: 'http://git.example/acme/widgets.git' })
  const { status } = await finished(id)
  assert.equal(status, 'failure')
  const tasks = db.selectFrom('run_tasks').select('reason').where('run_id', '=', id)
  assert.match((await tasks.execute()).map((task) => task.reason).join(), /The repository cannot be checked out: /)
  assert.deepEqual(runner.assigns, [])
})
