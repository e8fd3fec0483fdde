import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { writeEntries } from '../test/lots.ts'
import { type Fault, plant } from './fault.ts'

/** killed: a test failed. late: they did not end, which a run of all tests would tell too. survived: they passed. */
export interface Outcome {
  readonly verdict: 'killed' | 'late' | 'survived'
  /** The name of the first test that failed, where one has said so. */
  readonly failed?: string
}

export interface Ground {
  readonly copy: string
  readonly env: NodeJS.ProcessEnv
  readonly limitMs: number
  /** Ends the tests that run. */
  readonly stop: AbortSignal
}

/** Plants the fault in the copy, runs its tests, and takes it out again. */
export async function tryFault(ground: Ground, fault: Fault): Promise<Outcome> {
  const path = join(ground.copy, fault.file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, plant(fault, text))
  try {
    return await runTests(ground, fault.tests)
  } finally {
    await writeFile(path, text)
  }
}

/** The format of the TAP reporter; of nested tests the inner one comes first. */
const FAILED = /^ *not ok \d+ - (.*)$/

/**
 * Runs the tests on the files as they are in the copy now: the first failure decides, and the other tests are ended.
 */
export async function runTests({ copy, env, limitMs, stop }: Ground, tests: readonly string[]): Promise<Outcome> {
  const folder = join(copy, '.lots')
  await mkdir(folder, { recursive: true })
  const entries = (await writeEntries(copy, tests, folder)).flat()
  const words = ['--test', '--test-concurrency=2', `--test-timeout=${limitMs}`, '--test-reporter=tap', ...entries]
  return new Promise((settle, fail) => {
    // A process group of its own: what the tests started ends with them.
    const child = spawn(process.execPath, words, {
      cwd: copy,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    let late = false
    let failed: string | undefined
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (failed !== undefined) return
      failed = FAILED.exec(line)?.[1]
      if (failed !== undefined) endGroup(child)
    })
    const timer = setTimeout(() => {
      late = true
      endGroup(child)
    }, limitMs)
    const end = (): void => endGroup(child)
    stop.addEventListener('abort', end)
    child.once('error', fail)
    child.once('close', (code) => {
      clearTimeout(timer)
      stop.removeEventListener('abort', end)
      endGroup(child)
      if (failed !== undefined) settle({ verdict: 'killed', failed })
      else settle({ verdict: late ? 'late' : code === 0 ? 'survived' : 'killed' })
    })
  })
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}
