import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { runCli } from '../house/cli.ts'
import { shareObjects } from '../house/data-folder.ts'
import { type SharedDatabase, startSharedDatabase } from '../house/database.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'

interface Plan {
  readonly id: string
  readonly action: string
  readonly target: string
  readonly status: string
  readonly outcome: {
    readonly status: number | null
    readonly resources: readonly { readonly kind: string; readonly id: string }[]
  } | null
}

describe('plans over real control planes', () => {
  const dataDir = makeDataDir()
  const secretKey = randomBytes(32).toString('hex')
  const ends = new AsyncDisposableStack()
  let database: SharedDatabase
  let ports: { port: number; runnerPort: number }
  let house: House
  let start: object
  let team: Team

  const open = (env: Readonly<Record<string, string>> = {}): Promise<House> =>
    startHouse({ dataDir, ports, env: { DATABASE_URL: database.url, SECRET_KEY: secretKey, ...env } })

  const confirm = ({ id, action, target }: Plan): Promise<Plan> =>
    house.api.send<Plan>('POST', `/v1/plans/${id}/confirm`, { action, target })

  const runs = async (): Promise<readonly unknown[]> =>
    (await database.query('select id from runs order by id')).map(({ id }) => id)

  before(async () => {
    ends.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    ports = { port: await freePort(), runnerPort: await freePort() }
    database = await startSharedDatabase()
    ends.defer(() => database.stop())
    house = await open({ MCP_CONFIRMATION: 'person' })
    ends.defer(() => house.stop())
    team = await makeTeam(house.api, 'outer')
    const pipeline = await makePipeline(house.api, team, PIPELINE)
    start = { action: 'startRun', params: { id: pipeline }, body: { scope: team.scope } }
  })
  after(() => ends.disposeAsync())

  const aSubject = async (kind: 'user' | 'service_account', body: object): Promise<string> => {
    const path = kind === 'user' ? '/v1/users' : '/v1/service-accounts'
    const { id } = await house.api.send<{ id: string }>('POST', path, body)
    await house.api.send('POST', '/v1/grants', { subject: `${kind}:${id}`, role: 'owner', team_path: team.path })
    const owner = kind === 'user' ? { user_id: id } : { service_account_id: id }
    return (await house.api.send<{ token: string }>('POST', '/v1/tokens', { name: 'proof', ...owner })).token
  }

  test('mcp_confirmation=person: an agent plans and confirms, its client shows a page, and a person approves', async () => {
    const agent = await aSubject('service_account', { name: 'robot', team_path: team.path })
    const ada = house.api.as(await aSubject('user', { login: 'ada', name: 'Ada' }))
    const capabilities = { elicitation: { url: {} } }
    const client = new Client({ name: 'proof', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } })
    const pages: string[] = []
    let isApproved = false
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('it asks by a page, and by no form')
      pages.push(params.url)
      // Whoever sits there may say what they like: the first time nobody has approved anything.
      if (isApproved) {
        const id = params.url.slice(params.url.lastIndexOf('/') + 1)
        const { exit, output } = await runCli(ada, ['plan', 'approve', id, '--yes'])
        assert.equal(exit, 0, output)
      }
      return { action: 'accept' }
    })
    const requestInit = { headers: { authorization: `Bearer ${agent}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${house.url}/v1/mcp`), { requestInit }))
    const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
      const { content } = await client.callTool({ name, arguments: { ...input } })
      const [first] = Array.isArray(content) ? content : []
      return JSON.parse(String(Object(first).text))
    }
    const known = await runs()
    const aPlan = async () =>
      (await call('plan_start_run', { pipeline: 'outer/build', scope: team.scope })).next[0].arguments
    const waits = await aPlan()
    assert.equal((await call('confirm_plan', waits)).status, 'waiting_for_person')
    assert.deepEqual(pages, [`${house.url}/#/plans/${waits.plan_id}`])
    assert.deepEqual(await runs(), known, 'accepted by the client, approved by nobody')
    assert.equal((await house.api.as(agent).ask('POST', `/v1/plans/${waits.plan_id}/approve`)).status, 403)

    isApproved = true
    const done = await call('confirm_plan', await aPlan())
    assert.equal(done.status, 'confirmed', 'the call that was made again sees what the person did')
    await ada.send('POST', `/v1/plans/${waits.plan_id}/approve`)
    assert.equal((await call('confirm_plan', waits)).status, 'confirmed')
    assert.equal((await runs()).length, known.length + 2)
    assert.equal(pages.length, 2)
    await client.close()
  })

  for (const point of ['plans.before_write', 'plans.before_commit', 'plans.after_commit']) {
    test(`${point}: a repeated confirmation makes it one run, and tells which`, async () => {
      await house.stop()
      house = await open({ FAIL_POINT: point })
      const [known, plan] = [await runs(), await house.api.send<Plan>('POST', '/v1/plans', start)]
      assert.deepEqual(await runs(), known, 'it was only planned')
      await assert.rejects(confirm(plan), 'it died before it answered')
      assert.equal(await house.ended, 'SIGKILL')
      const isWritten = point === 'plans.after_commit'
      assert.equal((await runs()).length, known.length + (isWritten ? 1 : 0))
      house = await open()
      const done = await confirm(plan)
      const [made, ...more] = (await runs()).filter((id) => !known.includes(id))
      assert.deepEqual(more, [])
      assert.equal(done.status, 'confirmed')
      assert.deepEqual(
        done.outcome?.resources.map(({ kind, id }) => `${kind} ${id}`),
        [`run ${made}`],
      )
      assert.equal(done.outcome?.status, isWritten ? null : 202)
      assert.deepEqual(await confirm(plan), done)
      assert.equal((await runs()).length, known.length + 1)
    })
  }

  test('confirmed at two control planes at once it is one run, and both tell which', async () => {
    await using stack = new AsyncDisposableStack()
    const otherDir = makeDataDir()
    shareObjects(otherDir, dataDir)
    stack.defer(() => rmSync(otherDir, { recursive: true, force: true }))
    const env = { DATABASE_URL: database.url, SECRET_KEY: secretKey }
    const other = await startHouse({ dataDir: otherDir, env })
    stack.defer(() => other.stop())
    for (let round = 0; round < 5; round++) {
      const [known, { id, action, target }] = [await runs(), await house.api.send<Plan>('POST', '/v1/plans', start)]
      const answers = await Promise.all(
        [house, other, house, other].map(({ api }) =>
          api.send<Plan>('POST', `/v1/plans/${id}/confirm`, { action, target }),
        ),
      )
      const made = (await runs()).filter((run) => !known.includes(run))
      assert.equal(made.length, 1)
      assert.equal(answers[0]?.outcome?.resources[0]?.id, made[0])
      for (const answer of answers) assert.deepEqual(answer, answers[0])
    }
  })
})
