import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { benchBurst } from './burst.ts'
import { benchCheckout } from './checkout.ts'
import { benchExplainFailure } from './explain-failure.ts'
import { benchFront } from './front.ts'
import { benchGitApps } from './git-apps.ts'
import { benchHostile } from './hostile.ts'
import { benchIngress } from './ingress.ts'
import { benchLatency } from './latency.ts'
import { benchLogs } from './logs.ts'
import { benchMatching } from './matching.ts'
import { benchMcp } from './mcp.ts'
import { benchMemory } from './memory.ts'
import { benchQueue } from './queue.ts'
import { meetsTarget, type Report, renderReport } from './report.ts'
import { benchReports } from './reports.ts'
import { benchRunList } from './run-list.ts'
import { benchRunLogs } from './run-logs.ts'
import { benchSchedules } from './schedules.ts'
import { benchStart } from './start.ts'
import { benchTasks } from './tasks.ts'
import { benchValidate } from './validate.ts'
import { benchOpenPages, benchWeb } from './web.ts'

// npm run bench [-- name...]: the named benchmarks, or all; each ends by itself and leaves nothing behind. The product is
// started as people do, from what is built.

const PROGRAMS_BUILDER = join(import.meta.dirname, '../build/build-programs.ts')

const BENCHMARKS: Readonly<Record<string, () => Promise<Report>>> = {
  ingress: benchIngress,
  burst: benchBurst,
  hostile: benchHostile,
  latency: benchLatency,
  schedules: benchSchedules,
  reports: benchReports,
  'git-apps': benchGitApps,
  tasks: benchTasks,
  queue: benchQueue,
  logs: benchLogs,
  'run-logs': benchRunLogs,
  'explain-failure': benchExplainFailure,
  mcp: benchMcp,
  'run-list': benchRunList,
  front: benchFront,
  start: benchStart,
  memory: benchMemory,
  matching: benchMatching,
  validate: benchValidate,
  checkout: benchCheckout,
  web: benchWeb,
  'open-pages': benchOpenPages,
}

async function main(): Promise<number> {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHMARKS)
  const unknown = wanted.filter((name) => !Object.hasOwn(BENCHMARKS, name))
  if (unknown.length > 0) {
    console.error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}.`)
    return 2
  }
  execFileSync(process.execPath, [PROGRAMS_BUILDER, '--if-stale'], { stdio: 'inherit' })
  const reports: Report[] = []
  for (const name of wanted) {
    const report = await BENCHMARKS[name]?.()
    if (!report) continue
    reports.push(report)
    console.log(`${renderReport(report)}\n`)
    write(reports)
  }
  const missed = reports.flatMap((report) => report.figures).filter((figure) => meetsTarget(figure) === false)
  console.log(missed.length === 0 ? 'Every target is met.' : `Targets missed: ${missed.length}.`)
  return 0
}

/** The reports are written after each benchmark, so that a failing benchmark loses nothing. */
function write(reports: readonly Report[]): void {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const machine = { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model, load: loadavg() }
  const result = { at: new Date().toISOString(), machine, reports }
  writeFileSync(join(folder, 'latest.json'), `${JSON.stringify(result, null, 2)}\n`)
}

process.exitCode = await main()
