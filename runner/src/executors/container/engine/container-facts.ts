import { at, listAt, numberAt, textAt } from './read.ts'

export interface ContainerFacts {
  status: string
  exitCode: number | undefined
  outOfMemory: boolean
  /** Undefined where the image has no health check. */
  health: Health | undefined
}

/** Whether its process is over. */
export function hasEnded({ status }: ContainerFacts): boolean {
  return ['exited', 'dead', 'stopped'].includes(status)
}

export interface Health {
  /** `starting`, `healthy` or `unhealthy`. */
  status: string
  /** Before this time since its start, failed checks mean nothing. */
  graceMs: number
}

export function readContainerFacts(container: unknown): ContainerFacts {
  return {
    status: textAt(container, 'State', 'Status') ?? '',
    exitCode: numberAt(container, 'State', 'ExitCode'),
    outOfMemory: at(container, 'State', 'OOMKilled') === true,
    health: readHealth(container),
  }
}

const NANOSECONDS_OF_MS = 1e6
// The defaults of engines where an image says nothing.
const USUAL_INTERVAL = 30_000 * NANOSECONDS_OF_MS
const USUAL_RETRIES = 3

function readHealth(container: unknown): Health | undefined {
  const check = at(container, 'Config', 'Healthcheck')
  if (['', 'NONE'].includes(String(listAt(check, 'Test')[0] ?? ''))) return undefined
  const interval = numberAt(check, 'Interval') || USUAL_INTERVAL
  const retries = numberAt(check, 'Retries') || USUAL_RETRIES
  const grace = (numberAt(check, 'StartPeriod') ?? 0) + interval * retries
  return { status: textAt(container, 'State', 'Health', 'Status') ?? '', graceMs: grace / NANOSECONDS_OF_MS }
}
