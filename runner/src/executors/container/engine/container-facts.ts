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

/** What an engine answers of a container. */
export function readContainerFacts(container: unknown): ContainerFacts {
  return {
    status: textAt(container, 'State', 'Status') ?? '',
    exitCode: numberAt(container, 'State', 'ExitCode'),
    outOfMemory: at(container, 'State', 'OOMKilled') === true,
    health: readHealth(container),
  }
}

const nanosecondsOfMs = 1e6
// What engines take where an image says nothing.
const usualInterval = 30_000 * nanosecondsOfMs
const usualRetries = 3

function readHealth(container: unknown): Health | undefined {
  const check = at(container, 'Config', 'Healthcheck')
  if (['', 'NONE'].includes(String(listAt(check, 'Test')[0] ?? ''))) return undefined
  const interval = numberAt(check, 'Interval') || usualInterval
  const retries = numberAt(check, 'Retries') || usualRetries
  const grace = (numberAt(check, 'StartPeriod') ?? 0) + interval * retries
  return { status: textAt(container, 'State', 'Health', 'Status') ?? '', graceMs: grace / nanosecondsOfMs }
}
