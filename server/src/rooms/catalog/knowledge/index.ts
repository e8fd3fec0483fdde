import type { Queryable, Tx } from '#platform/database'
import { type Doors, defineRoom } from '#platform/room'
import { describeRevisions, type PinnedRevision } from './actions/describe-revisions.ts'
import { keepAtHand, keepKnowledge } from './actions/keep-knowledge.ts'
import { knowledgeProblem } from './errors.ts'
import type { Means } from './means.ts'
import { knowledgeRoutes } from './routes.ts'
import type { HeldEmergency, JudgedPlace, JudgedRun, Verdict } from './rules/index.ts'
import * as store from './store/index.ts'

export type { PinnedRevision } from './actions/describe-revisions.ts'
export type { EmergencyTold, KnowledgeTold } from './facts.ts'
export type {
  HeldEmergency,
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
  /** What `now` is for rules. */
  readonly takenAt: Date
  /**
   * Whether a run, step or task may begin, and the revisions that apply there. Never throws: a rule whose evaluation ends
   * in an error is violated.
   */
  judge(run: JudgedRun, place: JudgedPlace): Verdict
  /** The oldest emergency that holds in `<team path>/<environment>`; undefined: none. */
  emergencyOn(scope: string): HeldEmergency | undefined
}

export interface Knowledge {
  /**
   * As of the last change anyone told of. Rejects when the database cannot confirm that in time (`isUnavailable` of
   * platform/database is true of the error): nothing may begin then.
   */
  snapshot(): Promise<KnowledgeSnapshot>
  /**
   * Whether nothing has changed since; where it is true nothing changes until the transaction ends. So it closes the gap
   * between a change by another process and its notification: a run begins before an emergency, and the fact finds it, or
   * under it, and this says false. Then take a new snapshot (`refresh`) and decide anew.
   */
  isCurrent(tx: Tx, snapshot: KnowledgeSnapshot): Promise<boolean>
  /** After `isCurrent` said false: the next `snapshot` reads anew. */
  refresh(): void
  /** What pinned revisions are called, in the order given; those of deleted items too. */
  describeRevisions(db: Queryable, ids: readonly string[]): Promise<readonly PinnedRevision[]>
}

export const knowledge = defineRoom<Knowledge, Omit<Doors<Means>, 'copy'>>({
  name: 'catalog/knowledge',
  open(kit, needs) {
    const copy = keepKnowledge(kit)
    return {
      door: {
        async snapshot() {
          const known = copy.now() ?? (await copy.get())
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
      },
      routes: knowledgeRoutes({ ...kit, ...needs, copy }),
      problems: [knowledgeProblem],
      loops: [keepAtHand(copy)],
      close: async () => copy.close(),
    }
  },
})
