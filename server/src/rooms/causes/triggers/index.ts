import type { Event } from '@signalbox/contracts/event'
import type { NearMiss } from '@signalbox/contracts/events'
import type { TriggerDocument } from '@signalbox/contracts/triggers'
import type { Queryable } from '#platform/database'
import { type Caller, prefixesOf } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import type { StartingRule } from '#rooms/catalog/pipelines'
import { findNearMisses } from './actions/find-near-misses.ts'
import { keepAtHand, keepIndex } from './actions/keep-index.ts'
import { matchEvent, type TriggerMatch } from './actions/match-event.ts'
import { matchManifest } from './actions/match-manifest.ts'
import { createManifestReader } from './actions/read-manifest.ts'
import { type DraftedTrigger, prepareDraft } from './actions/simulate-trigger.ts'
import { draftTrigger } from './actions/write-trigger.ts'
import { triggerProblem } from './errors.ts'
import type { Means } from './means.ts'
import { triggerPlanners } from './planners.ts'
import { readDocument, triggerRoutes } from './routes.ts'
import {
  type Feed,
  type IndexedTrigger,
  listFed,
  type ManifestPlace,
  type ManifestReading,
  type Matchable,
  type MatchContext,
  type ReadManifest,
  type TriggerIndex,
} from './rules/index.ts'
import * as store from './store/index.ts'
import { searchTriggers } from './store/search-triggers.ts'
import { triggerTools } from './tools.ts'

export type { TriggerMatch } from './actions/match-event.ts'
export type { DraftedTrigger, StoredDelivery } from './actions/simulate-trigger.ts'
export type { AboveTriggers, SourceCheck } from './means.ts'
export type {
  Concurrency,
  Feed,
  ManifestPlace,
  ManifestProblem,
  ManifestReading,
  Matchable,
  MatchContext,
  Membership,
  OtherNames,
  ReadManifest,
  Trigger,
  VariablesResult,
} from './rules/index.ts'

export interface MatchOptions {
  /** Look at these triggers only: to match one event again, with the whole list of changed files. */
  readonly only?: ReadonlySet<string> | undefined
}

/** Matches events against the triggers as of the moment at which the matcher was made, or later. */
export interface Matcher {
  /** Every trigger of the event's repository, oldest first, with its trace. */
  match(event: Event, context: MatchContext, options?: MatchOptions): readonly TriggerMatch[]
}

export interface Triggers {
  /** Triggers as of the last change anyone told of. Throws when the database cannot confirm that in time. */
  matcher(): Promise<Matcher>
  /** The text of `.signalbox/triggers.yaml`: the manifest, or everything that is wrong with it. Never throws. */
  readManifest(text: string): Promise<ManifestReading>
  /**
   * The match of each entry of a manifest with an event of its repository, in the order of the manifest. An entry whose
   * pipeline or scope lies outside of the place's team matches with a `refusal`.
   */
  matchManifest(manifest: ReadManifest, event: Event, place: ManifestPlace): readonly TriggerMatch[]
  /** At most ten triggers, of teams that `mayRead` admits, with a repository pattern that nearly names the repository. */
  findNearMisses(repository: string, mayRead: (teamPath: string) => boolean): Promise<NearMiss[]>
  /** The triggers that name a repository by exactly this name, in any case. Throws as `matcher` does. */
  naming(): Promise<(repository: string) => readonly IndexedTrigger[]>
  /** The enabled triggers that are about a repository, by its name or a pattern. Throws as `matcher` does. */
  listAbout(repository: string): Promise<readonly Matchable[]>
  /** Triggers that name the sources. */
  countBySource(db: Queryable, sourceIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The triggers that name no source and take events of this one. */
  listFed(feed: Feed): Promise<readonly IndexedTrigger[]>
  /** To be called in the transaction that deletes the source: its triggers match nothing from then on, and say why. */
  sourceDeleted(db: Queryable, sourceId: string): Promise<readonly store.LostTrigger[]>
  /**
   * The trigger that a POST of the document would make, for simulations; nothing is stored. Throws what a POST throws, with
   * faults named as fields of `trigger`.
   */
  draft(caller: Caller, document: TriggerDocument): Promise<DraftedTrigger>
  /** The triggers of all teams that start these pipelines; those that are disabled as well. */
  listStarting(db: Queryable, pipelines: readonly string[], most: number): Promise<readonly StartingRule[]>
  /** To be called after another room committed a change of triggers. */
  changed(): void
}

export const triggers = defineRoom<Triggers, Omit<Doors<Means>, 'index'>>({
  name: 'causes/triggers',
  open: (kit, doors) => {
    const index = keepIndex(kit)
    const means: Means = { ...kit, ...doors, index }
    const matcherOf = (held: TriggerIndex): Matcher => ({
      match: (event, context, options) =>
        matchEvent(held.find(event.repository.full_name, options?.only, context.otherNames?.others), event, context),
    })
    return {
      door: {
        matcher: async () => matcherOf(await index.get()),
        readManifest: createManifestReader(kit),
        matchManifest,
        findNearMisses: async (repository, mayRead) => findNearMisses(means, repository, mayRead),
        async naming() {
          const held = await index.get()
          return (repository) => held.listNaming(repository)
        },
        async listAbout(repository) {
          const found = (await index.get()).find(repository)
          return found.map(({ trigger }) => trigger).filter(({ enabled }) => enabled)
        },
        countBySource: store.countBySource,
        listFed: async (feed) => listFed(await index.get(), feed),
        sourceDeleted: (db, sourceId) => store.markSourceLost(db, sourceId, kit.clock.now()),
        draft: async (caller, document) => prepareDraft(await draftTrigger(means, caller, readDocument(document))),
        listStarting: async (db, pipelines, most) =>
          (await store.listStarting(db, pipelines, most)).map((rule) => ({
            ...rule,
            permission: 'trigger.read' as const,
          })),
        changed: index.invalidate,
      },
      problems: [triggerProblem],
      routes: triggerRoutes(means),
      tools: triggerTools,
      planners: triggerPlanners,
      searches: [
        {
          kind: 'trigger',
          find: (caller, wish) =>
            searchTriggers(kit.database.kysely, prefixesOf(caller, 'trigger.read', wish.within), wish),
        },
      ],
      loops: [keepAtHand(index)],
      // Where no request is answered nobody holds events against triggers before a job asks for them.
      probes: kit.config.roles.has('api') ? [{ name: 'triggers', check: async () => void (await index.get()) }] : [],
      close: async () => index.close(),
    }
  },
})
