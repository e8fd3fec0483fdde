import { startRunner } from '../e2e/house/runner.ts'
import { runEnd } from '../e2e/house/runs.ts'
import { makePipeline, makeTeam } from '../e2e/house/team.ts'
import { createToken } from '../server/src/platform/crypto/index.ts'
import { residentMegabytes } from './cpu.ts'
import { type HouseUnderTest, openHouseUnderTest } from './house-under-test.ts'
import { connectTo, type KeepAliveClient } from './load/keep-alive-client.ts'
import { makeViewer } from './load/viewer.ts'
import type { Figure, Report } from './report.ts'
import { median, percentile } from './stats.ts'

const ROUND_MS = 3000
const ROUNDS = 5
const CONNECTIONS = 16
/** Each token has 120 reads a minute: the benchmark measures the endpoint and not its limits. */
const TOKENS = 1500
const AT_ONCE = 200
const MOST_RATIO = 1.5

const PIPELINE = `
name: build
steps:
  - name: build
    tasks:
      - { name: compile, run: "for n in $(seq 2000); do echo line $n of the compiler; done; exit 1", checkout: false }
`

interface Question {
  readonly name: string
  readonly rest: string
  readonly message: object
}

/**
 * What an agent asks most, by the endpoint and by the same question over REST, in interleaved rounds on as many connections
 * with the same tokens. `tools/list` has no twin: it stands beside the route that tells a page the same tools of the same
 * token, which has half the bytes, as it leaves the inputs out. The OpenAPI document, from which a program would learn what
 * it can call, is thirty times as long, and the same for everybody. The lines of `read_log` are as many on both sides. Of
 * what the endpoint does besides, nothing is left out: it stores a record of each call before it answers.
 */
export async function benchMcp(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const team = await makeTeam(subject.house.api, 'agents')
  const pipeline = encodeURIComponent(await makePipeline(subject.house.api, team, PIPELINE))
  const runner = await startRunner(subject.house, { capacity: 1 })
  const { run_id: runId } = await subject.house.api.send<{ run_id: string }>('POST', `/v1/pipelines/${pipeline}/runs`, {
    scope: team.scope,
  })
  await runEnd(subject.house.api, runId)
  await runner.stop()
  const tokens = await makeTokens(subject, team.path)
  const call = (name: string, input: object) => ({ method: 'tools/call', params: { name, arguments: input } })
  const questions: readonly Question[] = [
    { name: 'tools/list', rest: '/v1/mcp/tools', message: { method: 'tools/list' } },
    { name: 'explain_run', rest: `/v1/explain/run?run_id=${runId}`, message: call('explain_run', { run_id: runId }) },
    { name: 'read_log', rest: `/v1/runs/${runId}/logs?tail=100`, message: call('read_log', { run_id: runId }) },
  ]
  const before = residentMegabytes(subject.house.pid)
  const figures: Figure[] = []
  for (const question of questions) figures.push(...(await compare(subject, tokens, question)))
  figures.push(...(await allAtOnce(subject, tokens, questions[1]?.message ?? {})))
  figures.push({
    what: 'resident memory after all, more than before',
    value: residentMegabytes(subject.house.pid) - before,
    unit: 'MB',
  })
  return { name: 'mcp', says: 'questions of agents, beside the same over REST', figures }
}

/** Tokens of one service account: made by the API, they would take an hour. */
async function makeTokens(subject: HouseUnderTest, path: string): Promise<readonly string[]> {
  await makeViewer(subject, path)
  const [account] = await subject.query<{ id: string }>('select id from service_accounts where team_path = $1', [path])
  const made = Array.from({ length: TOKENS }, () => createToken('service_account'))
  await subject.query(
    `insert into tokens (id, name, token_sha256, last_four, service_account_id, created_at)
      select uuidv7(), 'bench', sha256, last_four, $3, now()
      from unnest($1::bytea[], $2::text[]) as made (sha256, last_four)`,
    [made.map(({ sha256 }) => sha256), made.map(({ lastFour }) => lastFour), account?.id],
  )
  return made.map(({ token }) => token)
}

async function compare(subject: HouseUnderTest, tokens: readonly string[], question: Question): Promise<Figure[]> {
  const rest = tokens.map((token) => request('GET', question.rest, token))
  const mcp = tokens.map((token) => request('POST', '/v1/mcp', token, { jsonrpc: '2.0', id: 1, ...question.message }))
  const sides = [
    ['rest', rest],
    ['mcp', mcp],
  ] as const
  const results: Record<'rest' | 'mcp', Measured[]> = { rest: [], mcp: [] }
  // The first round of each warms up. Then they take turns in being the first: what one leaves behind, the other clears up.
  for (let index = 0; index <= ROUNDS; index++) {
    for (const [side, requests] of index % 2 === 0 ? sides : sides.toReversed()) {
      const measured = await round(subject, requests)
      if (index > 0) results[side].push(measured)
    }
  }
  const p99 = (side: 'rest' | 'mcp'): number =>
    percentile(
      results[side].flatMap(({ times }) => times),
      0.99,
    )
  const ratio = median(results.rest.map(({ perSecond }, at) => perSecond / (results.mcp[at]?.perSecond ?? 1)))
  const cpu = (side: 'rest' | 'mcp', of: 'server' | 'postgres'): number => median(results[side].map((each) => each[of]))
  return [
    { what: `${question.name}: calls`, value: median(results.mcp.map(({ perSecond }) => perSecond)), unit: '/s' },
    { what: `${question.name}: REST`, value: median(results.rest.map(({ perSecond }) => perSecond)), unit: '/s' },
    { what: `${question.name}: p99`, value: p99('mcp'), unit: 'ms' },
    { what: `${question.name}: p99 of REST`, value: p99('rest'), unit: 'ms' },
    { what: `${question.name}: CPU of a call`, value: cpu('mcp', 'server'), unit: 'ms' },
    { what: `${question.name}: CPU of REST`, value: cpu('rest', 'server'), unit: 'ms' },
    { what: `${question.name}: PostgreSQL's CPU of a call`, value: cpu('mcp', 'postgres'), unit: 'ms' },
    { what: `${question.name}: PostgreSQL's CPU of REST`, value: cpu('rest', 'postgres'), unit: 'ms' },
    { what: `${question.name}: REST to calls`, value: ratio, unit: '', atMost: MOST_RATIO },
  ]
}

interface Measured {
  readonly perSecond: number
  readonly times: readonly number[]
  /** CPU of the control plane and of PostgreSQL for one call, in ms: it says the same on a machine that others use, too. */
  readonly server: number
  readonly postgres: number
}

let turn = 0

/** A few connections for three seconds; each request is that of the next token. */
async function round(subject: HouseUnderTest, requests: readonly Buffer[]): Promise<Measured> {
  const times: number[] = []
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectTo(subject.port)))
  const before = subject.cpu()
  const began = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - began < ROUND_MS) times.push(await timeOf(client, requests))
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const after = subject.cpu()
  for (const client of clients) client.close()
  const perCall = (used: number): number => (used * 1000) / times.length
  return {
    perSecond: times.length / seconds,
    times,
    server: perCall(after.server - before.server),
    postgres: perCall(after.postgres - before.postgres),
  }
}

async function timeOf(client: KeepAliveClient, requests: readonly Buffer[]): Promise<number> {
  turn += 1
  const next = requests[turn % requests.length]
  if (!next) throw new Error('There is no request')
  const since = performance.now()
  const status = await client.send(next)
  if (status !== 200) throw new Error(`The answer has the status ${status}`)
  return performance.now() - since
}

/** Each of many tokens on a connection of its own, all together. */
async function allAtOnce({ port }: HouseUnderTest, tokens: readonly string[], message: object): Promise<Figure[]> {
  const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => connectTo(port)))
  const requests = tokens.map((token) => request('POST', '/v1/mcp', token, { jsonrpc: '2.0', id: 1, ...message }))
  const times: number[] = []
  for (let repeated = 0; repeated < 10; repeated++) {
    times.push(...(await Promise.all(clients.map((client) => timeOf(client, requests)))))
  }
  for (const client of clients) client.close()
  return [{ what: `explain_run, ${AT_ONCE} tokens at once: p99`, value: percentile(times, 0.99), unit: 'ms' }]
}

function request(method: string, path: string, token: string, body?: object): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
  return Buffer.from(`${head}${text === '' ? '' : 'content-type: application/json\r\n'}\r\n${text}`)
}
