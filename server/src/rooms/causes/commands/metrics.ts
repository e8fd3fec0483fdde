import type { CommandOutcome, CommandVerb } from '@signalbox/contracts/commands'
import type { Metrics } from '#platform/metrics'

export interface CommandMetrics {
  /** `none`: no command was read. `above_limit`: it was left out of account. */
  decided(verb: CommandVerb | 'none', outcome: CommandOutcome | 'above_limit'): void
}

export function createCommandMetrics(metrics: Metrics): CommandMetrics {
  const commands = metrics.counter(
    'signalbox_comment_commands_total',
    'Commands in comments of pull requests, by their word and by what became of them.',
    ['verb', 'outcome'],
  )
  return { decided: (verb, outcome) => commands.inc({ verb, outcome }) }
}
