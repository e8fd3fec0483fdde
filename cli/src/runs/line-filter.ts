import type { LogEntry } from '@signalbox/contracts/logs'

export interface LineChoice {
  readonly step?: string
  readonly task?: string
  readonly attempt?: number
  readonly search?: string
}

/** Selects the lines of a followed log by the same rules as the API for a stored log. */
export function lineFilter({ step, task, attempt, search }: LineChoice): (entry: LogEntry) => boolean {
  const text = search?.toLowerCase()
  return (entry) =>
    (step === undefined || entry.step === step) &&
    (task === undefined || entry.task === task) &&
    (attempt === undefined || entry.attempt === attempt) &&
    (text === undefined || entry.line.toLowerCase().includes(text))
}
