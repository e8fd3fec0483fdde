import { makePipeline, makeTeam, type Team } from '../e2e/house/team.ts'
import { openHouseUnderTest } from './house-under-test.ts'
import { storeRuns } from './load/store-runs.ts'
import { storeThings } from './load/store-things.ts'
import type { Figure, Report } from './report.ts'
import { percentile } from './stats.ts'

const RUNS = 100_000
const PIPELINES = 10_000
const TEAMS = 20
const REQUESTS = 300
const WARM_UP = 30
const SEARCH_P99_MS = 50
const COUNTS_P99_MS = 20

const PIPELINE = `
name: build
steps:
  - name: build
    tasks:
      - { name: compile, run: "true", checkout: false }
`

/** What a page asks first: search, and the counts of a team, where much of everything is stored. */
export async function benchFront(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const { api, url } = subject.house
  await api.send('POST', '/v1/teams', { path: 'all' })
  const paths = Array.from({ length: TEAMS }, (_, index) => `all/team-${index}`)
  const teams: Team[] = []
  for (const path of paths) teams.push(await makeTeam(api, path))
  for (const team of teams) await makePipeline(api, team, PIPELINE)
  await storeRuns(subject, { runs: RUNS, teams: paths, rare: { team: 'all/team-0', runs: 20 } })
  await subject.query(
    `insert into pipelines (id, team_path, name, version, created_at, updated_at)
    select uuidv7(), 'all/team-' || n % $2, 'pipeline-' || n, 1, now(), now() from generate_series(1, $1::int) as n`,
    [PIPELINES, TEAMS],
  )
  await storeThings(subject, 'all', teams)
  await subject.query('vacuum analyze')
  const [run] = await subject.query<{ id: string; commit: string }>(
    'select id, commit_sha as commit from runs order by id offset 50000 limit 1',
  )
  const questions: readonly (readonly [string, string, number])[] = [
    ['search, one letter', '/v1/search?q=p', SEARCH_P99_MS],
    ['search, a name in the middle', '/v1/search?q=line-77', SEARCH_P99_MS],
    ['search, nothing', '/v1/search?q=nothing-of-the-kind', SEARCH_P99_MS],
    ['search, two words', '/v1/search?q=team-7%20build', SEARCH_P99_MS],
    ['search, first digits of a run', `/v1/search?q=${run?.id.slice(0, 13)}`, SEARCH_P99_MS],
    ['search, first digits of a commit', `/v1/search?q=${run?.commit.slice(0, 7)}`, SEARCH_P99_MS],
    ['counts of the team above all', '/v1/teams/all/counts', COUNTS_P99_MS],
    ['counts of one team', `/v1/teams/${encodeURIComponent('all/team-3')}/counts`, COUNTS_P99_MS],
  ]
  const figures: Figure[] = []
  for (const [what, path, atMost] of questions) {
    const times: number[] = []
    let before = subject.cpu()
    for (let count = 0; count < REQUESTS + WARM_UP; count++) {
      if (count === WARM_UP) before = subject.cpu()
      const started = performance.now()
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${api.token}` } })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
      times.push(performance.now() - started)
    }
    const after = subject.cpu()
    const kept = times.slice(WARM_UP)
    figures.push({ what: `${what}: p50`, value: percentile(kept, 0.5), unit: 'ms' })
    figures.push({ what: `${what}: p99`, value: percentile(kept, 0.99), unit: 'ms', atMost })
    for (const [part, name] of [
      ['server', 'control plane'],
      ['postgres', 'PostgreSQL'],
    ] as const) {
      const value = ((after[part] - before[part]) / REQUESTS) * 1000
      figures.push({ what: `${what}: CPU of ${name} each`, value, unit: 'ms' })
    }
  }
  return {
    name: 'front',
    says: `search and counts with ${PIPELINES} pipelines and ${RUNS} runs stored, 86,400 of the last day, beside thousands of other things; ${REQUESTS} requests each`,
    figures,
  }
}
