import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRunner } from '../e2e/house/runner.ts'
import { makePipeline, makeTeam, type Team } from '../e2e/house/team.ts'
import { type HouseUnderTest, openHouseUnderTest } from './house-under-test.ts'
import { HEADS, packed, startRun, writeLines } from './long-logs.ts'
import type { Report } from './report.ts'
import { median } from './stats.ts'

const LINES = 120_000
/** So often a log of about 10 MB is stored again: 1 GB, as its rows would be. */
const COPIES = 100
const ROUNDS = 15
const END_TIMEOUT_MS = 120_000
const POLL_MS = 100
const FATAL = 'fatal: the one line that tells why'

/**
 * What an agent asks about a run that failed, of a log of 10 MB and of one of 1 GB, in interleaved rounds. Each has a
 * success of the same size to be compared with.
 */
export async function benchExplainFailure(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-explain-'))
  chmodSync(folder, 0o755)
  await using subject = await openHouseUnderTest()
  const team = await makeTeam(subject.house.api, 'why')
  const runner = await startRunner(subject.house, { capacity: 1, flags: ['--log-limit-mib', '64'] })
  try {
    const file = writeLines(folder, LINES)
    const small = await failOnce(subject, team, { name: 'small', file })
    const large = await failOnce(subject, team, { name: 'large', file })
    for (const runId of large.runIds) await grow(subject, runId)
    const questions: Readonly<Record<string, (run: Failed) => string>> = {
      explain_failure: ({ failed }) => `/v1/explain/failure?run_id=${failed}`,
      'the last 100 lines': ({ failed }) => `/v1/runs/${failed}/logs?tail=100`,
      'around a line': ({ failed }) => `/v1/runs/${failed}/logs?step=only&task=cat&around=${LINES >> 1}`,
      'a search that finds ten': ({ failed }) => `/v1/runs/${failed}/logs?regex=module-9.*7+ms&limit=10&context=2`,
    }
    const figures: Report['figures'][number][] = []
    for (const [what, ask] of Object.entries(questions)) {
      const times: Record<'small' | 'large', number[]> = { small: [], large: [] }
      for (let round = 0; round < ROUNDS; round++) {
        times.small.push(await timeOf(subject, ask(small)))
        times.large.push(await timeOf(subject, ask(large)))
      }
      figures.push(
        { what: `${what}: 10 MB`, value: median(times.small), unit: 'ms' },
        { what: `${what}: 1 GB`, value: median(times.large), unit: 'ms' },
        {
          what: `${what}: ratio`,
          value: median(times.large.map((ms, at) => ms / (times.small[at] ?? 1))),
          unit: '',
          atMost: 1.3,
        },
      )
    }
    for (const { failed } of [small, large]) await expectTold(subject, failed)
    return { name: 'explain-failure', says: 'questions about a failed run, by the size of its log', figures }
  } finally {
    await runner.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Failed {
  readonly failed: string
  readonly runIds: readonly string[]
}

/** A success and a failure of one pipeline, packed. */
async function failOnce(
  subject: HouseUnderTest,
  team: Team,
  { name, file }: { readonly name: string; readonly file: string },
): Promise<Failed> {
  const flag = `${file}.${name}`
  const pipeline = await makePipeline(
    subject.house.api,
    team,
    `
name: ${name}
steps:
  - name: only
    tasks:
      - { name: cat, run: "cat ${file}; if [ -e ${flag} ]; then echo '${FATAL}'; exit 3; fi", checkout: false }
`,
  )
  const succeeded = await runToEnd(subject, team, pipeline)
  appendFileSync(flag, '')
  const failed = await runToEnd(subject, team, pipeline)
  for (const runId of [succeeded, failed]) await packed(subject, runId)
  return { failed, runIds: [succeeded, failed] }
}

async function runToEnd(subject: HouseUnderTest, team: Team, pipeline: string): Promise<string> {
  const runId = await startRun(subject, team, pipeline)
  for (let waited = 0; waited < END_TIMEOUT_MS; waited += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const rows = await subject.query('select from runs where id = $1 and finished_at is not null', [runId])
    if (rows.length > 0) return runId
  }
  throw new Error('The run did not end in time')
}

/** Stores the packed rows of a log again and again before themselves. */
async function grow(subject: HouseUnderTest, runId: string): Promise<void> {
  const [head] = await subject.query<{ id: string; lines: number }>(
    `select attempts.id, next_line::int as lines ${HEADS}`,
    [runId],
  )
  if (!head) throw new Error('The log has no head')
  const shift = head.lines * (COPIES - 1)
  await subject.query('update log_chunks set first_line = first_line + $2 where attempt_id = $1', [head.id, shift])
  await subject.query(
    `insert into log_chunks (attempt_id, first_line, line_count, lines_zstd, raw_bytes, first_at, last_at, trigrams)
      select attempt_id, first_line - $2 + copy * $3, line_count, lines_zstd, raw_bytes, first_at, last_at, trigrams
      from log_chunks, generate_series(0, $4::int) as copy where attempt_id = $1`,
    [head.id, shift, head.lines, COPIES - 2],
  )
  await subject.query(
    'update log_heads set next_line = next_line * $2, packed_line = next_line * $2, is_packed = true where attempt_id = $1',
    [head.id, COPIES],
  )
  await subject.query('vacuum analyze log_chunks')
}

async function timeOf({ house }: HouseUnderTest, path: string): Promise<number> {
  const since = performance.now()
  await house.api.get(path)
  return performance.now() - since
}

async function expectTold({ house }: HouseUnderTest, runId: string): Promise<void> {
  const told = await house.api.get<unknown>(`/v1/explain/failure?run_id=${runId}`)
  if (!JSON.stringify(told).includes(FATAL)) throw new Error('The explanation does not hold the line that tells why')
}
