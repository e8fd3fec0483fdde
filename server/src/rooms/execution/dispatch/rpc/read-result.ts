import { type AttemptFinished, Result } from '@signalbox/contracts/runner'
import type { FinishedAttempt } from '../rules/inbox.ts'

const MAX_REASON = 2000

/** What a runner reported, fit for the tables: they cannot hold U+0000. */
export function readFinished(message: AttemptFinished, startedAt: Date | null): FinishedAttempt {
  return {
    result: readResult(message.result),
    exitCode: message.exitCode ?? null,
    reason: storable(message.reason).slice(0, MAX_REASON),
    outputs: Object.fromEntries(message.outputs.map(({ name, value }) => [storable(name), storable(value)])),
    startedAt,
  }
}

function readResult(result: Result): FinishedAttempt['result'] {
  switch (result) {
    case Result.SUCCESS:
      return 'success'
    case Result.TIMED_OUT:
      return 'timed_out'
    case Result.CANCELED:
      return 'canceled'
    default:
      return 'failure'
  }
}

function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}
