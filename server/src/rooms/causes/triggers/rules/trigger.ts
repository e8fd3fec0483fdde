import type { EventKind } from '@signalbox/contracts/event'
import type { Owner } from '@signalbox/contracts/http'
import type { ON_CONFLICT } from '@signalbox/contracts/runs'
import type { DRAFT_RULES } from '@signalbox/contracts/triggers'

export type DraftRule = (typeof DRAFT_RULES)[number]

/** Runs of one group, and what a new one means for those that have not ended. */
export interface Concurrency {
  /** In a definition text with `${{ CEL }}` in it; in a match what came of it. */
  readonly group: string
  readonly onConflict: (typeof ON_CONFLICT)[number]
}

/** A trigger as a person writes it: the events to match, and the run to start. */
export interface TriggerDefinition {
  readonly name: string
  readonly teamPath: string
  /** Only deliveries of this source. Null: of every source that the owner may see, and posted events. */
  readonly sourceId: string | null
  readonly repositories: readonly string[]
  readonly events: readonly EventKind[]
  readonly actions: readonly string[]
  readonly branches: readonly string[]
  readonly tags: readonly string[]
  readonly paths: readonly string[]
  readonly labels: readonly string[]
  readonly draft: DraftRule
  readonly commands: readonly string[]
  readonly commenters: readonly string[]
  /** Whether a push whose head commit asks for no CI starts nothing. */
  readonly skipCi: boolean
  /** Whether pull requests get a comment that shows what became of their events. */
  readonly reportComment: boolean
  /** CEL over `event`. */
  readonly condition: string | null
  readonly pipeline: string
  readonly scope: string
  /** Text with `${{ CEL }}` in it. */
  readonly variables: Readonly<Record<string, string>>
  readonly concurrency: Concurrency | null
  readonly enabled: boolean
}

export interface Trigger extends TriggerDefinition {
  readonly id: string
  /** When the source it named was deleted: it matches nothing since, not every source. */
  readonly sourceLostAt: Date | null
  /** On whose behalf its runs start. */
  readonly owner: Owner
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A stored trigger, or an entry of a repository's manifest, which has no id. */
export type Matchable = Omit<Trigger, 'id' | 'createdAt' | 'updatedAt'> & { readonly id: string | null }
