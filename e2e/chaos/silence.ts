import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuMs, describeThreads, openFiles, signalAll } from '../house/processes.ts'
import type { SharedHouse } from '../house/shared-house.ts'

/**
 * The options that make Node write a report of itself on a signal, with stacks and open handles; see `keepWhatItDoes`.
 */
export function reportsInto(folder: string): string {
  return `--report-on-signal --report-exclude-env --report-directory=${folder}`
}

const BUSY_MS = 1000
const ANSWER_MS = 5000
const SESSIONS = `select pid, application_name, state, wait_event_type, wait_event, xact_start, query_start,
  pg_blocking_pids(pid) as waits_for, left(query, 300) as query from pg_stat_activity where backend_type = 'client backend'`

/**
 * Keeps the facts that are visible from outside about a process that does not answer: whether it computes or waits, and
 * where. Adds its own report, if it can still write one, and the sessions of the database with their waits. Answers the
 * file.
 */
export async function keepWhatItDoes(
  { database }: SharedHouse,
  name: string,
  pid: number,
  folder: string,
): Promise<string> {
  signalAll([pid], 'SIGUSR2')
  const before = cpuMs(pid)
  await pause(BUSY_MS)
  const used = cpuMs(pid) - before
  const sessions = await Promise.race([
    database.query(SESSIONS).catch((error: unknown) => [{ error: String(error) }]),
    pause(ANSWER_MS, [{ error: 'no answer' }]),
  ])
  const file = join(folder, `silent-${name}-${pid}.txt`)
  const parts = [
    `${name}, process ${pid}; its own report, if it could write one: report.*.${pid}.*.json beside this file`,
    `CPU: ${used} ms in ${BUSY_MS} ms; open files: ${JSON.stringify(openFiles(pid))}`,
    describeThreads(pid),
    ...sessions.map((session) => JSON.stringify(session)),
  ]
  writeFileSync(file, `${parts.join('\n')}\n`)
  return file
}
