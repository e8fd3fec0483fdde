import { Agent, get } from 'node:http'
import { makePipeline, makeTeam } from '../e2e/house/team.ts'
import { openHouseUnderTest } from './house-under-test.ts'
import { storeRuns } from './load/store-runs.ts'
import { makeViewer } from './load/viewer.ts'
import type { Figure, Report } from './report.ts'
import { percentile } from './stats.ts'

const RUNS = 100_000
const TEAMS = 20
/** A team with few and old runs: a reader of the newest runs must not search all others for it. */
const RARE = 'rare'
const RARE_RUNS = 20
const RARE_TRIGGER = '019a0000-0000-7000-8000-000000000007'
const REQUESTS = 500
const WARM_UP = 50
const TARGET_P99_MS = 10

const PIPELINE = `
name: build
steps:
  - name: build
    tasks:
      - { name: compile, run: "true", checkout: false }
`

/** GET /v1/runs with many runs stored: the filters it has, as an administrator and as a viewer of one team. */
export async function benchRunList(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const { api } = subject.house
  const paths = Array.from({ length: TEAMS }, (_, index) => `team-${index}`)
  for (const path of [...paths, RARE]) await makePipeline(api, await makeTeam(api, path), PIPELINE)
  await storeRuns(subject, { runs: RUNS, teams: paths, rare: { team: RARE, runs: RARE_RUNS, trigger: RARE_TRIGGER } })
  const deep = await subject.query<{ id: string }>('select id from runs order by id desc offset $1 limit 1', [
    RUNS * 0.6,
  ])
  const teams = new Map(
    (await api.get<{ id: string; path: string }[]>('/v1/teams?limit=100')).map((t) => [t.path, t.id]),
  )
  const viewer = await makeViewer(subject, paths[3] ?? '')
  const rareViewer = await makeViewer(subject, RARE)
  // Also many filters that most runs match.
  const combined =
    'status=success&status=failure&cause=event&branch=main&repository=acme/shop&since=2020-01-01T00:00:00Z'
  const cursor = `cursor=${deep[0]?.id}`
  const pipeline = encodeURIComponent(`${paths[3]}/build`)
  // Halfway through what is stored, and a commit of each.
  const [middle] = await subject.query<{ at: Date; commit_sha: string }>(
    'select queued_at as at, commit_sha from runs order by id desc offset $1 limit 1',
    [RUNS / 2],
  )
  const [own] = await subject.query<{ commit_sha: string }>(
    'select commit_sha from runs where team_path = $1 order by id limit 1',
    [paths[3]],
  )
  const until = middle?.at.toISOString()
  const commit = middle?.commit_sha ?? ''
  const questions: readonly (readonly [string, string, string])[] = [
    ['administrator, no filter', '', api.token],
    ['administrator, limit=500', '?limit=500', api.token],
    ['administrator, deep page', `?${cursor}`, api.token],
    ['administrator, teamId', `?teamId=${teams.get(paths[3] ?? '')}`, api.token],
    ['administrator, teamId of few old runs', `?teamId=${teams.get(RARE)}`, api.token],
    ['administrator, branch', '?branch=main', api.token],
    ['administrator, branch of few old runs', '?branch=rare', api.token],
    [
      'administrator, teamId and branch, deep page',
      `?teamId=${teams.get(paths[3] ?? '')}&branch=main&${cursor}`,
      api.token,
    ],
    ['viewer of a team, no filter', '', viewer],
    ['viewer of a team, branch', '?branch=main', viewer],
    ['viewer of a team, deep page', `?${cursor}`, viewer],
    ['administrator, several statuses', '?status=failure&status=timed_out&status=running', api.token],
    ['administrator, branch and statuses', '?branch=main&status=failure&status=canceled', api.token],
    ['administrator, rare initiator', `?initiator=${RARE}`, api.token],
    ['administrator, rare cause', '?cause=request', api.token],
    ['administrator, one pull request', '?pull_request=7&repository=acme/shop', api.token],
    ['administrator, rare trigger', `?trigger=${RARE_TRIGGER}`, api.token],
    ['administrator, one commit', `?commit=${commit}`, api.token],
    ['administrator, the beginning of a commit', `?commit=${commit.slice(0, 8)}`, api.token],
    ['administrator, one pipeline', `?pipeline=${pipeline}`, api.token],
    ['administrator, one pipeline, deep page', `?pipeline=${pipeline}&${cursor}`, api.token],
    ['administrator, pipeline of few old runs', `?pipeline=${encodeURIComponent(`${RARE}/build`)}`, api.token],
    ['administrator, until a past instant', `?until=${until}`, api.token],
    ['administrator, a window', `?since=2020-01-01T00:00:00Z&until=${until}`, api.token],
    ['viewer of a team, one pipeline and until', `?pipeline=${pipeline}&until=${until}`, viewer],
    ['viewer of a team, one commit', `?commit=${own?.commit_sha}`, viewer],
    ['administrator, six filters, deep page', `?${combined}&${cursor}`, api.token],
    [
      'administrator, six filters, rare initiator',
      `?${combined.replace('event', 'request')}&initiator=${RARE}`,
      api.token,
    ],
    ['viewer of a team, several statuses', '?status=failure&status=timed_out&status=running', viewer],
    ['viewer of a team, six filters', `?${combined}`, viewer],
    ['viewer of a team with few old runs, initiator', `?initiator=${RARE}&branch=main`, rareViewer],
    ['viewer of a team with few old runs', '', rareViewer],
    ['viewer of a team with few old runs, branch', '?branch=main', rareViewer],
  ]
  const figures: Figure[] = []
  for (const [what, query, token] of questions) {
    const times = await ask(`${subject.house.url}/v1/runs${query}`, token)
    figures.push({ what: `${what}: p50`, value: percentile(times, 0.5), unit: 'ms' })
    const p99 = { what: `${what}: p99`, value: percentile(times, 0.99), unit: 'ms' }
    // The target is for a page of the usual size.
    figures.push(query.includes('limit=') ? p99 : { ...p99, atMost: TARGET_P99_MS })
  }
  return {
    name: 'run-list',
    says: `GET /v1/runs with ${RUNS} runs stored, ${REQUESTS} requests each, one at a time`,
    figures,
  }
}

/** Times of the requests, ms, over one kept connection. */
async function ask(url: string, token: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const times: number[] = []
    for (let count = 0; count < REQUESTS + WARM_UP; count++) {
      const started = performance.now()
      await read(url, token, agent)
      times.push(performance.now() - started)
    }
    return times.slice(WARM_UP)
  } finally {
    agent.destroy()
  }
}

function read(url: string, token: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        if (response.statusCode === 200 && text.length > 2) resolve()
        else reject(new Error(`${url}: ${response.statusCode} ${text}`))
      })
    })
    request.on('error', reject)
  })
}
