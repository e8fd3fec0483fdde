import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { House } from './house.ts'
import { surroundings } from './surroundings.ts'
import { waitFor } from './wait.ts'

/** A real runner process. */
export interface RunnerProcess {
  readonly pid: number
  readonly workDir: string
  readonly output: () => string
  kill(signal: NodeJS.Signals): Promise<void>
  stop(): Promise<void>
}

export interface RunnerOptions {
  readonly name?: string
  readonly capacity?: number
  readonly scopes?: readonly string[]
  readonly labels?: readonly string[]
  /** The team that the runner belongs to; default: the platform. */
  readonly teamPath?: string
  /** A folder with a credential to find again: no enrolment is made. */
  readonly workDir?: string
  /** A folder of the caller's for a runner that is enrolled now. */
  readonly newWorkDir?: string
  /** Further flags, such as --log-limit-mib. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A command that ends by becoming the one given to it as its last arguments, such as `unshare`. */
  readonly within?: readonly string[]
}

/** As long as a control plane has. */
const START_TIMEOUT_MS = 180_000
const BIN = join(import.meta.dirname, '../../runner/bin/signalbox-runner.mjs')

/** Enrols (at the first time) and starts a runner, and waits until the control plane sees it connected. */
export async function startRunner(
  house: Pick<House, 'api' | 'runnerUrl'>,
  options: RunnerOptions = {},
): Promise<RunnerProcess> {
  const name = options.name ?? 'e2e-runner'
  const workDir = options.workDir ?? options.newWorkDir ?? makeWorkDir()
  const enrollment = options.workDir
    ? undefined
    : await house.api.send<{ token: string }>('POST', '/v1/runners/enrollments', {
        team_path: options.teamPath ?? '/',
        scopes: options.scopes ?? ['**'],
        labels: options.labels ?? [],
      })
  const flags = [
    '--url',
    house.runnerUrl,
    '--name',
    name,
    '--capacity',
    String(options.capacity ?? 4),
    '--work-dir',
    workDir,
    ...(options.flags ?? []),
  ]
  const [command = process.execPath, ...words] = [...(options.within ?? []), process.execPath, BIN, ...flags]
  const child = spawn(command, words, {
    env: { ...surroundings, ...options.env, ...(enrollment ? { SIGNALBOX_RUNNER_TOKEN: enrollment.token } : {}) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  await waitFor(
    `the runner ${name} to be connected`,
    () => house.api.get<{ name: string; connected: boolean }[]>('/v1/runners'),
    (runners) => runners.some((runner) => runner.name === name && runner.connected),
    START_TIMEOUT_MS,
  ).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw new Error(`It says: ${output}`, { cause: error })
  })
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return {
    pid: child.pid ?? 0,
    workDir,
    output: () => output,
    kill,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) await kill('SIGTERM')
      if (!options.workDir && !options.newWorkDir) rmSync(workDir, { recursive: true, force: true })
    },
  }
}

export function makeWorkDir(): string {
  const workDir = mkdtempSync(join(tmpdir(), 'signalbox-e2e-runner-'))
  chmodSync(workDir, 0o711)
  return workDir
}
