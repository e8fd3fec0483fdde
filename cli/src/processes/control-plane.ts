import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { findInstance, type LocalInstance } from '../config/local-instance.ts'
import { CommandFailed } from '../errors.ts'
import { SERVER } from './programs.ts'
import { OPERATOR_ERROR, type Supervised, supervise } from './supervised.ts'

export interface ControlPlanePlan {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly port: number
  readonly runnerPort: number
  /** The log goes there instead of the terminal. */
  readonly logFile?: string
  readonly onCrash: (how: string, pauseMs: number | undefined) => void
  readonly signal: AbortSignal
}

export interface ControlPlane extends LocalInstance {
  readonly process: Supervised
}

const POLL_MS = 25

/**
 * Starts the control plane and waits until it listens. A crash later is answered by a new start on the same ports. Throws
 * CommandFailed where it does not start, with code 2 where it asks the operator to act.
 */
export async function startControlPlane(plan: ControlPlanePlan): Promise<ControlPlane> {
  // With port 0 the first start finds free ports, which later ones must keep: runners know them by then.
  const env: Record<string, string | undefined> = {
    ...plan.env,
    DATA_DIR: plan.dataDir,
    PORT: String(plan.port),
    RUNNER_PORT: String(plan.runnerPort),
  }
  let listening = false
  const child = supervise({
    name: 'control plane',
    args: [SERVER],
    env,
    cwd: plan.cwd,
    ...(plan.logFile === undefined ? {} : { logFile: plan.logFile }),
    mayRestart: (code) => listening && code !== OPERATOR_ERROR,
    // A failed start is told once, at the end.
    onCrash: (how, pause) => listening && plan.onCrash(how, pause),
  })
  let ended: string | undefined
  while (ended === undefined && !plan.signal.aborted) {
    const instance = findInstance(plan.dataDir)
    if (instance && instance.pid === child.pid) {
      listening = true
      env['PORT'] = portOf(instance.url)
      if (instance.runnerUrl !== undefined) env['RUNNER_PORT'] = portOf(instance.runnerUrl)
      return { ...instance, process: child }
    }
    ended = await Promise.race([child.ended, wait(POLL_MS, undefined)])
  }
  if (ended === undefined) {
    await child.stop()
    throw new CommandFailed('interrupted', 'Stopped before the control plane was up.')
  }
  const said = plan.logFile === undefined ? undefined : lastLines(plan.logFile)
  const exit = child.needsOperator ? 'usage' : 'unexpected'
  throw new CommandFailed(exit, `The control plane did not start: it ${ended}.`, said)
}

function portOf(url: string): string {
  return new URL(url).port
}

function lastLines(path: string): string {
  return `The log ${path} ends with:\n${readFileSync(path, 'utf8').trimEnd().split('\n').slice(-15).join('\n')}`
}
