import type { Queryable, Tx } from '#platform/database'
import type { Caller } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { describeRevisions, type PinnedRevision } from './actions/describe-revisions.ts'
import { findByClue } from './actions/find-by-clue.ts'
import { keepAtHand, keepKnowledge } from './actions/keep-knowledge.ts'
import { type PreparedTrial, prepareTrial, type TrialWish } from './actions/prepare-trial.ts'
import { knowledgeProblem } from './errors.ts'
import { knowledgeTopics } from './live.ts'
import type { Means } from './means.ts'
import { knowledgeRoutes } from './routes.ts'
import { type ActiveEmergency, type JudgedPlace, type JudgedRun, type Verdict, violatorsOf } from './rules/index.ts'
import * as store from './store/index.ts'
import { searchItems } from './store/search-items.ts'
import { knowledgeTools } from './tools.ts'

export type { PinnedRevision } from './actions/describe-revisions.ts'
export type { PreparedTrial } from './actions/prepare-trial.ts'
export type { EmergencyTold, KnowledgeTold } from './facts.ts'
export type {
  ActiveEmergency,
  JudgedPlace,
  JudgedRun,
  JudgedStep,
  JudgedTask,
  Verdict,
} from './rules/index.ts'

/** Items and emergencies at one moment. Reads memory only, and answers the same each time. */
export interface KnowledgeSnapshot {
  /** Raised by every change of items and emergencies. */
  readonly revision: number
  /** The time that rules read as `now`. */
  readonly takenAt: Date
  /**
   * Whether a run, step or task may begin, and the revisions that apply there. Never throws: a rule whose evaluation ends
   * in an error is violated.
   */
  judge(run: JudgedRun, place: JudgedPlace): Verdict
  /** The oldest active emergency of `<team path>/<environment>`; undefined: none. */
  emergencyOn(scope: string): ActiveEmergency | undefined
}

export interface Knowledge {
  /**
   * As of the last change that this process was told of. Rejects when the database cannot confirm in time that nothing has
   * changed since (`isUnavailable` of platform/database is true of the error): nothing may begin then.
   */
  snapshot(): Promise<KnowledgeSnapshot>
  /**
   * Whether nothing has changed since the snapshot. If true, nothing changes until the transaction ends. This closes the
   * gap between a change by another process and its notification. The fact of an emergency finds each run that began before
   * the emergency committed. If false, call `refresh`, take a new snapshot and decide again.
   */
  isCurrent(tx: Tx, snapshot: KnowledgeSnapshot): Promise<boolean>
  /** Call it after `isCurrent` was false: the next `snapshot` reads the tables again. */
  refresh(): void
  /** The names of pinned revisions, in the order given; those of deleted items too. */
  describeRevisions(db: Queryable, ids: readonly string[]): Promise<readonly PinnedRevision[]>
  /** One item, saved or drafted, to be asked what it would say of something; see the action for what it throws. */
  prepareTrial(caller: Caller, wish: TrialWish): Promise<PreparedTrial>
  /** The identifiers of the items whose violation ended a run, of the run's reason. */
  violatorsOf(reason: string): readonly string[]
}

export const knowledge = defineRoom<Knowledge, Omit<Doors<Means>, 'copy'>>({
  name: 'catalog/knowledge',
  open(kit, needs) {
    const copy = keepKnowledge(kit)
    const means: Means = { ...kit, ...needs, copy }
    return {
      door: {
        async snapshot() {
          const known = await copy.get()
          const takenAt = kit.clock.now()
          return {
            revision: known.revision,
            takenAt,
            judge: (run, place) => known.judge(run, place, takenAt),
            emergencyOn: known.emergencyOn,
          }
        },
        isCurrent: async (tx, snapshot) => (await store.shareRevision(tx)) === snapshot.revision,
        refresh: copy.invalidate,
        describeRevisions,
        prepareTrial: (caller, wish) => prepareTrial(means, caller, wish),
        violatorsOf,
      },
      routes: knowledgeRoutes(means),
      tools: knowledgeTools,
      searches: [
        {
          kind: 'knowledge',
          find: (caller, { within = '/', ...wish }) => {
            const place = { prefixes: caller.prefixes('knowledge.read'), within: [within] }
            return searchItems(kit.database.kysely, place, wish)
          },
        },
      ],
      finders: [{ find: (caller, clue) => findByClue(means, caller, clue) }],
      live: knowledgeTopics,
      problems: [knowledgeProblem],
      loops: [keepAtHand(copy)],
      close: async () => copy.close(),
    }
  },
})
