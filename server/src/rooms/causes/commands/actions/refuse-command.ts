import type { CommandOutcome } from '@signalbox/contracts/commands'
import type { ForgeAnswer } from '#adapters/forges'

/** A command that is not carried out: `message` is a sentence for the person. */
export class CommandRefused extends Error {
  readonly outcome: CommandOutcome
  constructor(outcome: CommandOutcome, reason: string) {
    super(reason)
    this.outcome = outcome
  }
}

/** The provider gave no answer, and may do so later: the job is tried again. */
export class ProviderAway extends Error {}

/** What the provider answered; undefined where it has none. Throws ProviderAway, and CommandRefused where no try helps. */
export function valueOf<T>(answer: ForgeAnswer<T>): T | undefined {
  switch (answer.outcome) {
    case 'found':
      return answer.value
    case 'not_found':
      return undefined
    case 'failed':
      if (answer.retry) throw new ProviderAway(answer.reason)
      throw new CommandRefused('provider_failed', answer.reason)
    default:
      return answer satisfies never
  }
}
