import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { object, text } from '../../client/shape.ts'
import { CommandFailed } from '../../errors.ts'
import { FORGE } from '../../processes/programs.ts'

/** The fake GitHub, a process of its own. */
export interface Forge {
  /** Its address for people and for the control plane. */
  readonly url: string
  /** Where it is told what people do at it. */
  readonly controlUrl: string
  /** Resolves with the reason when it has ended without a stop. */
  readonly broken: Promise<string>
  stop(): Promise<void>
  kill(): void
}

export interface ForgePlan {
  readonly account: string
  readonly repository: string
  /** Who may write to the repository. */
  readonly person: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logFile: string
}

const saidShape = object({ url: text, control_url: text })
const STOP_MS = 10_000

/**
 * Starts the fake GitHub, which keeps all in memory: it is never started again. As with other children Ctrl-C reaches only
 * us, and the end of its channel tells it that we are gone.
 */
export async function startForge({ account, repository, person, env, logFile }: ForgePlan): Promise<Forge> {
  if (!existsSync(FORGE)) {
    const remedy = 'Run this in a checkout of the repository of Signalbox, after npm ci.'
    throw new CommandFailed('usage', `The fake forge is not here: ${FORGE} is missing.`, remedy)
  }
  mkdirSync(dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'a', 0o600)
  const flags = ['--account', account, '--repository', repository, '--person', person]
  const child = spawn(process.execPath, [FORGE, ...flags], {
    env: { ...env },
    detached: true,
    stdio: ['ignore', 'pipe', log, 'ipc'],
  })
  closeSync(log)
  // The channel is for its end only; an error on it comes with the end of the child.
  child.on('error', () => undefined)
  let stopping = false
  const ended = new Promise<string>((settle) => {
    child.once('close', (code, signal) => settle(signal ? `was ended by ${signal}` : `ended with code ${code}`))
  })
  const line = new Promise<string>((settle) => {
    if (child.stdout) createInterface(child.stdout).once('line', settle)
  })
  const said = await Promise.race([line, ended.then(() => undefined)])
  if (said === undefined) {
    throw new CommandFailed('unexpected', `The fake forge did not start: it ${await ended}.`, `Its log: ${logFile}`)
  }
  const { url, control_url: controlUrl } = saidShape(JSON.parse(said), 'forge')
  return {
    url,
    controlUrl,
    broken: ended.then((how) => (stopping ? new Promise<string>(() => undefined) : `The fake forge ${how}.`)),
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(late)
    },
    kill() {
      stopping = true
      child.kill('SIGKILL')
    },
  }
}
