import type { CommandOutcome } from '@signalbox/contracts/commands'
import type { Event, Person } from '@signalbox/contracts/event'
import type { Tx } from '#platform/database'
import type { CommandedSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import type { StoredCommand } from '../store/index.ts'
import type { Provider } from './ask-provider.ts'
import type { Actor } from './find-actor.ts'

/** A command whose words count, with all that deciding about it needs. */
export interface AskedCommand {
  readonly means: Means
  readonly row: StoredCommand
  readonly event: Event
  readonly source: CommandedSource
  readonly provider: Provider
  /** The author, as the provider calls them now. */
  readonly person: Person
}

/** What a command does, in the one transaction that marks it as done. */
export interface Effect {
  readonly outcome: CommandOutcome
  /** A sentence for the person, where a reaction says too little. */
  readonly reason: string
  readonly actor: Actor | null
  /** Runs that it repeats: it was given for them too. */
  readonly repeatedRunIds?: readonly string[]
  /** Answers the runs that it is about. A problem that it throws refuses the command. */
  work(tx: Tx): Promise<readonly string[]>
  /** After the commit. */
  readonly done?: () => void
}
