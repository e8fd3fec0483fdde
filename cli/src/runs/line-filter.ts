import type { LogEntry } from '@signalbox/contracts/logs'

export interface LineChoice {
  readonly step?: string
  readonly task?: string
  readonly attempt?: number
  readonly search?: string
}

/** Which lines of a followed log are shown: the same choice that the API offers for a stored one. */
export function lineFilter({ step, task, attempt, search }: LineChoice): (entry: LogEntry) => boolean {
  const text = search?.toLowerCase()
  return (entry) =>
    (step === undefined || entry.step === step) &&
    (task === undefined || entry.task === task) &&
    (attempt === undefined || entry.attempt === attempt) &&
    (text === undefined || entry.line.toLowerCase().includes(text))
}
