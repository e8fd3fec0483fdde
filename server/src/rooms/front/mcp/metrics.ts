import type { Kit } from '#platform/room'

/** How a call of a tool ended; `refused`: the caller's own fault. */
export type CallOutcome = 'answered' | 'refused' | 'failed' | 'limited'

export interface CallMetrics {
  count(tool: string, outcome: CallOutcome, seconds: number): void
}

const BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60]

/** Series about calls of tools, for GET /metrics. */
export function createCallMetrics({ metrics }: Kit): CallMetrics {
  const calls = metrics.counter('signalbox_tool_calls_total', 'Calls of tools by agents, by what became of each.', [
    'tool',
    'outcome',
  ])
  const seconds = metrics.histogram('signalbox_tool_call_seconds', 'Time that calls of tools took.', ['tool'], BUCKETS)
  return {
    count(tool, outcome, took) {
      calls.inc({ tool, outcome })
      seconds.observe({ tool }, took)
    },
  }
}
