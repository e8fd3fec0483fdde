import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Team } from '../e2e/house/team.ts'
import type { HouseUnderTest } from './house-under-test.ts'

// Runs that print many lines, for the benchmarks that read them.

export const NEEDLE = 'the one line that somebody looks for'
/** Where the heads of the logs of one run are. */
export const HEADS = 'from log_heads join attempts on attempts.id = log_heads.attempt_id where attempts.run_id = $1'
const POLL_MS = 100
const END_TIMEOUT_MS = 240_000
const PACK_TIMEOUT_MS = 150_000
const STATE = `select status, extract(epoch from finished_at - started_at)::float8 as seconds from runs where id = $1`
const LINES = `select sum(next_line)::int as lines ${HEADS}`

/** Writes lines as a build does: no two alike, and the searched line in the middle. */
export function writeLines(folder: string, count: number): string {
  const path = join(folder, `${count}.txt`)
  const lines: string[] = []
  for (let n = 0; n < count; n++) {
    lines.push(
      n === count >> 1
        ? `${n} ${NEEDLE}`
        : `[${(n * 7919) % 100_000}] compiled packages/part-${n % 97}/src/module-${n % 1013}.ts in ${(n * 31) % 997} ms, ${n} in all`,
    )
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** With a secret, so that every line is looked at by the masking. */
export function catOf(team: Team, name: string, file: string): string {
  return `
name: ${name}
secrets:
  WEBHOOK: ${team.path}/webhook
steps:
  - name: only
    tasks:
      - { name: cat, run: "cat ${file}", checkout: false }
`
}

export async function startRun(subject: HouseUnderTest, team: Team, pipelineId: string): Promise<string> {
  const path = `/v1/pipelines/${encodeURIComponent(pipelineId)}/runs`
  return (await subject.house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })).run_id
}

/** The time is the run's own, from its start to its end: by then every line is stored. */
export async function runToEnd(subject: HouseUnderTest, team: Team, pipelineId: string) {
  const runId = await startRun(subject, team, pipelineId)
  for (let asked = 0; asked * POLL_MS < END_TIMEOUT_MS; asked++) {
    await sleep(POLL_MS)
    const [row] = await subject.query<{ status: string; seconds: number | null }>(STATE, [runId])
    if (row?.seconds === null || row?.seconds === undefined) continue
    if (row.status !== 'success') throw new Error(`The run is ${row.status}`)
    return { runId, seconds: row.seconds }
  }
  throw new Error('The run did not end in time')
}

export async function expectLines(subject: HouseUnderTest, runId: string, lines: number): Promise<void> {
  const [row] = await subject.query<{ lines: number }>(LINES, [runId])
  if (row?.lines !== lines) throw new Error(`${row?.lines} lines are stored, not ${lines}`)
}

/** The job comes round each minute, and takes the last rows when a log has been silent for a minute. */
export async function packed(subject: HouseUnderTest, runId: string): Promise<void> {
  for (let asked = 0; asked * POLL_MS < PACK_TIMEOUT_MS; asked++) {
    const [row] = await subject.query<{ packed: boolean }>(PACKED, [runId])
    if (row?.packed) return
    await sleep(POLL_MS)
  }
  throw new Error('The log was not packed in time')
}

const PACKED = `select bool_and(is_packed) as packed ${HEADS}`
