import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRunner } from '../e2e/house/runner.ts'
import { surroundings } from '../e2e/house/surroundings.ts'
import { makePipeline, makeTeam } from '../e2e/house/team.ts'
import { type HouseUnderTest, openHouseUnderTest } from './house-under-test.ts'
import { catOf, expectLines, runToEnd, writeLines } from './long-logs.ts'
import type { Report } from './report.ts'
import { median } from './stats.ts'

const LINES = 500_000
const ROUNDS = 5
const BIN = join(import.meta.dirname, '../cli/bin/signalbox.mjs')

/** `signalbox run logs` of a long log, beside `run logs --download` of the same one: processes, from start to end. */
export async function benchRunLogs(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-run-logs-'))
  chmodSync(folder, 0o755)
  await using subject = await openHouseUnderTest()
  const team = await makeTeam(subject.house.api, 'logs')
  const flags = ['--log-limit-mib', '1024', '--log-limit-lines', '10000000']
  const runner = await startRunner(subject.house, { capacity: 1, flags })
  try {
    const file = writeLines(folder, LINES)
    const { runId } = await runToEnd(
      subject,
      team,
      await makePipeline(subject.house.api, team, catOf(team, 'long', file)),
    )
    await expectLines(subject, runId, LINES)
    const printed = join(folder, 'printed.txt')
    const kept = join(folder, 'kept.txt')
    const download: number[] = []
    const print: number[] = []
    const stream: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      download.push(await timeCli(subject, ['run', 'logs', runId, '--download', kept], join(folder, 'note.txt')))
      print.push(await timeCli(subject, ['run', 'logs', runId], printed))
      stream.push(await timeCli(subject, ['run', 'logs', runId, '--stream', 'stdout'], join(folder, 'stream.txt')))
    }
    const whole = readFileSync(file, 'utf8')
    if (readFileSync(kept, 'utf8') !== whole) throw new Error('--download wrote something else than was printed')
    const shown = whole.replaceAll(/^(?=.)/gm, 'only/cat │ ')
    for (const name of [printed, join(folder, 'stream.txt')]) {
      if (readFileSync(name, 'utf8') !== shown) throw new Error('run logs printed something else')
    }
    const ratio = (of: readonly number[]) => median(of.map((ms, round) => ms / (download[round] ?? Number.NaN)))
    return {
      name: 'run-logs',
      says: `the command line reads ${LINES.toLocaleString('en')} lines; medians of ${ROUNDS} interleaved rounds`,
      figures: [
        { what: 'run logs --download', value: median(download), unit: 'ms' },
        { what: 'run logs', value: median(print), unit: 'ms' },
        { what: 'run logs: ratio', value: ratio(print), unit: 'of --download', atMost: 1.25 },
        { what: 'run logs --stream stdout', value: median(stream), unit: 'ms' },
        { what: 'run logs --stream stdout: ratio', value: ratio(stream), unit: 'of --download', atMost: 2 },
      ],
    }
  } finally {
    await runner.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds from the start of the command to its end; its output goes to a file. */
async function timeCli({ house }: HouseUnderTest, words: readonly string[], output: string): Promise<number> {
  const descriptor = openSync(output, 'w')
  const since = performance.now()
  const child = spawn(process.execPath, [BIN, ...words], {
    env: { ...surroundings, SIGNALBOX_URL: house.url, SIGNALBOX_TOKEN: house.api.token },
    stdio: ['ignore', descriptor, 'inherit'],
  })
  const [exit] = await once(child, 'close')
  closeSync(descriptor)
  if (exit !== 0) throw new Error(`${words.join(' ')} ended with ${exit}`)
  return performance.now() - since
}
