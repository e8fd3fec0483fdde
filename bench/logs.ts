import { chmodSync, createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { type RunnerProcess, startRunner } from '../e2e/house/runner.ts'
import { makePipeline, makeTeam, type Team } from '../e2e/house/team.ts'
import { familyCpuSeconds } from './cpu.ts'
import { type HouseUnderTest, openHouseUnderTest } from './house-under-test.ts'
import { catOf, expectLines, HEADS, NEEDLE, packed, runToEnd, startRun, writeLines } from './long-logs.ts'
import type { Figure, Report } from './report.ts'
import { median } from './stats.ts'

const ROUNDS = 3
const FLOOD_LINES = 300_000
const LONG_LINES = 1_000_000
const FOLLOWERS = 50
const FOLLOWED_LINES = 20_000
const READS = 11

/**
 * Measures a flood of output through masking to storage, against the same bytes through zstd to a file. Then measures
 * reading of a million lines, and fifty followers of one log.
 */
export async function benchLogs(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-logs-'))
  chmodSync(folder, 0o755)
  await using subject = await openHouseUnderTest()
  const team = await makeTeam(subject.house.api, 'logs')
  const flags = ['--log-limit-mib', '1024', '--log-limit-lines', '10000000']
  const runner = await startRunner(subject.house, { capacity: 2, flags })
  try {
    const flood = await measureFlood(subject, team, runner, folder)
    const long = await measureLong(subject, team, folder)
    const followed = await measureFollowers(subject, team, folder)
    return {
      name: 'logs',
      says: `lines through masking to storage, against zstd to a file (medians of ${ROUNDS} interleaved rounds); reads of ${LONG_LINES.toLocaleString('en')} lines`,
      figures: [...flood, ...long, ...followed],
    }
  } finally {
    await runner.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureFlood(
  subject: HouseUnderTest,
  team: Team,
  runner: RunnerProcess,
  folder: string,
): Promise<Figure[]> {
  const file = writeLines(folder, FLOOD_LINES)
  const megabytes = statSync(file).size / 1e6
  const catalogued = await makePipeline(subject.house.api, team, catOf(team, 'flood', file))
  const plain: number[] = []
  const stored: number[] = []
  const cpu: number[] = []
  await compress(file, join(folder, 'warm'))
  await runToEnd(subject, team, catalogued)
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(megabytes / (await compress(file, join(folder, 'copy'))))
    const before = { ...subject.cpu(), runner: familyCpuSeconds(runner.pid) }
    const { seconds, runId } = await runToEnd(subject, team, catalogued)
    await expectLines(subject, runId, FLOOD_LINES)
    const after = { ...subject.cpu(), runner: familyCpuSeconds(runner.pid) }
    stored.push(megabytes / seconds)
    cpu.push(after.server - before.server + after.postgres - before.postgres + after.runner - before.runner)
  }
  const ratios = stored.map((rate, round) => rate / (plain[round] ?? Number.NaN))
  return [
    { what: 'the same bytes through zstd to a file', value: median(plain), unit: 'MB/s' },
    { what: 'output of a task to storage', value: median(stored), unit: 'MB/s' },
    { what: 'output of a task: ratio', value: median(ratios), unit: 'of zstd to a file', atLeast: 0.3 },
    {
      what: 'output of a task: CPU of runner, server and PostgreSQL',
      value: (median(cpu) / megabytes) * 1000,
      unit: 'ms/MB',
    },
  ]
}

async function measureLong(subject: HouseUnderTest, team: Team, folder: string): Promise<Figure[]> {
  const file = writeLines(folder, LONG_LINES)
  const { runId } = await runToEnd(
    subject,
    team,
    await makePipeline(subject.house.api, team, catOf(team, 'long', file)),
  )
  await expectLines(subject, runId, LONG_LINES)
  await packed(subject, runId)
  const path = `/v1/runs/${runId}/logs`
  const read = async (what: string, query: string, wanted: (lines: readonly Entry[]) => boolean, atMost: number) => {
    const wall: number[] = []
    const cpu: number[] = []
    for (let round = 0; round < READS; round++) {
      const before = subject.cpu()
      const since = performance.now()
      const lines = await readPages(subject, `${path}?${query}`)
      wall.push(performance.now() - since)
      const after = subject.cpu()
      cpu.push((after.server - before.server + after.postgres - before.postgres) * 1000)
      if (!wanted(lines)) throw new Error(`${what}: other lines than expected: ${JSON.stringify(lines.slice(-2))}`)
    }
    return [
      { what: `${what}: median`, value: median(wall), unit: 'ms', atMost },
      {
        what: `${what}: CPU of server and PostgreSQL`,
        value: cpu.reduce((sum, one) => sum + one, 0) / READS,
        unit: 'ms',
      },
    ]
  }
  const hasNeedle = (lines: readonly Entry[]): boolean => lines.some(({ line }) => line.includes(NEEDLE))
  const search = encodeURIComponent(NEEDLE.toUpperCase())
  const [size] = await subject.query<{ bytes: number }>(SIZE, [runId])
  return [
    ...(await read('last page of a million lines', 'tail=1000', (lines) => lines.length === 1000, 100)),
    ...(await read('search in a million lines', `search=${search}`, hasNeedle, 500)),
    ...(await read('expression in a million lines', 'regex=somebody+l[o]{2}ks+for$', hasNeedle, 500)),
    { what: 'a million lines as they are stored', value: (size?.bytes ?? 0) / 1e6, unit: 'MB' },
  ]
}

interface Entry {
  readonly line: string
}

/** A search on a busy machine says after a while where it goes on: all of it counts. */
async function readPages(subject: HouseUnderTest, path: string): Promise<Entry[]> {
  const lines: Entry[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body, headers } = await subject.house.api.ask('GET', next)
    if (!Array.isArray(body)) throw new Error(`${next}: ${JSON.stringify(body)}`)
    lines.push(...body)
    next = path.includes('tail=') ? undefined : /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return lines
}

async function measureFollowers(subject: HouseUnderTest, team: Team, folder: string): Promise<Figure[]> {
  const file = writeLines(folder, FOLLOWED_LINES)
  const pipelineId = await makePipeline(subject.house.api, team, catOf(team, 'followed', file))
  const measure = async (followers: number) => {
    const runId = await startRun(subject, team, pipelineId)
    const before = subject.cpu()
    const since = performance.now()
    const counts = await Promise.all(Array.from({ length: followers }, () => follow(subject, runId)))
    const seconds = (performance.now() - since) / 1000
    const after = subject.cpu()
    if (counts.some((count) => count !== FOLLOWED_LINES)) throw new Error(`Followers saw ${counts.join(', ')} lines`)
    return { seconds, cpu: after.server - before.server + after.postgres - before.postgres }
  }
  await measure(1)
  const one = await measure(1)
  const many = await measure(FOLLOWERS)
  return [
    { what: `one follower of ${FOLLOWED_LINES} lines: CPU`, value: one.cpu * 1000, unit: 'ms' },
    { what: `${FOLLOWERS} followers, each line to each once: CPU`, value: many.cpu * 1000, unit: 'ms' },
    {
      what: `${FOLLOWERS} followers: lines sent`,
      value: (FOLLOWERS * FOLLOWED_LINES) / many.cpu,
      unit: 'per second of CPU',
    },
    {
      what: `${FOLLOWERS} followers: CPU against as many alone`,
      value: many.cpu / (one.cpu * FOLLOWERS),
      unit: '',
      atMost: 0.5,
    },
  ]
}

/** Reads the stream of one run to its end, with as little work as possible; answers how many lines came. */
function follow(subject: HouseUnderTest, runId: string): Promise<number> {
  const { url, token } = subject.house.api
  return new Promise((resolve, reject) => {
    const request = get(`${url}/v1/runs/${runId}/logs/stream`, { headers: { authorization: `Bearer ${token}` } })
    request.on('error', reject)
    request.on('response', (response) => {
      let count = 0
      let rest = ''
      response.setEncoding('latin1')
      response.on('data', (text: string) => {
        const all = rest + text
        for (let at = all.indexOf('event: line'); at >= 0; at = all.indexOf('event: line', at + 1)) count += 1
        // Too short to hold the word again.
        rest = all.slice(-10)
      })
      response.on('end', () => resolve(count))
      response.on('error', reject)
    })
  })
}

async function compress(from: string, to: string): Promise<number> {
  const since = performance.now()
  await pipeline(createReadStream(from), createZstdCompress(), createWriteStream(to, { flush: true }))
  return (performance.now() - since) / 1000
}

const SIZE = `select sum(stored_bytes)::int as bytes ${HEADS}`
