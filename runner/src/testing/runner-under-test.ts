import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXECUTOR_NAMES } from '../executors/executor-choice.ts'
import type { RunnerOptions } from '../main.ts'
import { createLog, runRunner, StopButton } from '../main.ts'
import { TestGateway } from './gateway.ts'

/** A runner in this process, enrolled at a gateway of its own. */
export type RunnerUnderTest = AsyncDisposable & {
  gateway: TestGateway
  workDir: string
  /** The runner's own log. */
  diary: string[]
  button: StopButton
  /** Settles when the runner has left. */
  left: Promise<void>
}

/** A folder that goes when the test ends. The accounts of tasks may pass through: else their workspaces would lie elsewhere. */
export const temporaryFolder = (): Disposable & { path: string } => {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-runner-test-'))
  chmodSync(path, 0o711)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Starts gateway and runner and waits until they are connected. */
export const startRunner = async (options: Partial<RunnerOptions> = {}): Promise<RunnerUnderTest> => {
  const folder = temporaryFolder()
  const gateway = new TestGateway()
  await gateway.start()
  const button = new StopButton()
  const diary: string[] = []
  const workDir = options.workDir ?? join(folder.path, 'work')
  const left = runRunner(
    // Both executors, also for a root runner, whose default is one of them.
    {
      url: gateway.url,
      token: gateway.token,
      name: 'test',
      capacity: 8,
      executors: EXECUTOR_NAMES,
      ...options,
      workDir,
    },
    { log: createLog((line) => diary.push(line)), stops: button.source },
  )
  // A test that expects a failure awaits `left` itself.
  left.catch(() => {})
  const runner: RunnerUnderTest = {
    gateway,
    workDir,
    diary,
    button,
    left,
    [Symbol.asyncDispose]: async () => {
      button.press()
      button.press()
      for (const fence of gateway.attempts.keys()) gateway.endLease(fence)
      await left.catch(() => {})
      gateway.kill()
      folder[Symbol.dispose]()
    },
  }
  try {
    await Promise.race([gateway.connectedRunner(), left])
  } catch (error) {
    await runner[Symbol.asyncDispose]()
    throw error
  }
  return runner
}
