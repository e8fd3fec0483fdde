import { describeError, fullDisk, isFullDisk } from '../../errors.ts'
import type { ProcessEnd } from '../../processes/running-process.ts'
import { STOPPED_EARLY } from '../../processes/running-process.ts'
import type { ExecutionTools } from './container-tools.ts'
import { isUnreachable } from './engine/errors.ts'
import { LaunchError } from './launch.ts'
import type { Services } from './services.ts'

/** How far an attempt had come when something was thrown. */
export interface AttemptProgress {
  readonly begun: boolean
  /** No container was made for it. */
  readonly untouched: boolean
  readonly stopped: boolean
  /** The engine was asked to kill the task, and did not. */
  readonly stubborn: boolean
  /** Where it writes. */
  readonly folder: string
}

function failed(begun: boolean, reason: string): ProcessEnd {
  return { kind: begun ? 'failed' : 'not_started', reason }
}

/** The end of an attempt in a container after a failure. */
export async function judgeFailure(
  thrown: unknown,
  { begun, untouched, stopped, stubborn, folder }: AttemptProgress,
  { engine, engineLost, suspectEngine }: ExecutionTools,
  services: Services,
): Promise<ProcessEnd> {
  if (engineLost.aborted) {
    const reason = String(engineLost.reason)
    return untouched ? { kind: 'not_begun', reason: `${reason} The task had not begun.` } : failed(begun, reason)
  }
  if (stubborn) {
    return failed(begun, `The container engine at ${engine.address.text} did not answer: the task was not ended.`)
  }
  if (stopped && !begun) return failed(begun, STOPPED_EARLY)
  // The task does not run yet, so it may be given to somebody else: as after a loss where a service of it may run.
  if (!begun && isUnreachable(thrown)) {
    suspectEngine()
    const kind = untouched ? 'not_begun' : 'broken_off'
    return { kind, reason: `${describeError(thrown)}. The task had not begun.` }
  }
  if (isFullDisk(thrown)) return failed(begun, fullDisk(folder))
  if (!(thrown instanceof LaunchError)) return failed(begun, `${describeError(thrown)}.`)
  // A task cannot join a network whose holder has ended.
  const ended = await services.findEnded().catch(() => undefined)
  return failed(begun, ended ?? thrown.message)
}
