import { type Database, execute, type Queryable, type Statement } from '#platform/database'
import type { FailPoints } from '#platform/fail-points'
import { type Ids, lowestIdOf } from '#platform/ids'
import type { JobDefinition, Jobs } from '#platform/jobs'
import type { Clock } from '#platform/time'
import type { Fact } from './fact.ts'
import * as store from './store.ts'

export type { Fact } from './fact.ts'

/**
 * The work of a room when a fact is told. A durable job calls it at least once for each fact, so it must be idempotent
 * by `fact.id`.
 */
export interface Reaction {
  readonly fact: string
  /** `<room>.<what>`; with the fact's id it is the key of the job. */
  readonly name: string
  /**
   * Whether a fact with this payload may matter: asked where the fact is told, so it must be quick and know its answer.
   * False spares the job. Left out: every one does.
   */
  wants?(payload: unknown): boolean
  react(fact: Fact): Promise<void>
}

export interface Facts {
  /** Writes to the outbox and queues each reaction, inside the caller's transaction. */
  tell(db: Queryable, kind: string, version: number, payload: unknown): Promise<void>
  /** Tells several facts of one kind in one statement. */
  tellAll(db: Queryable, kind: string, version: number, payloads: readonly unknown[]): Promise<void>
  /** Like `tellAll`, but as statements: for a transaction that is sent at once. */
  telling(kind: string, version: number, payloads: readonly unknown[]): readonly Statement[]
}

export interface FactsOptions {
  readonly ids: Ids
  readonly clock: Clock
  readonly jobs: Jobs
  readonly failPoints: FailPoints
  readonly database: Database
}

export interface FactsHouse {
  readonly facts: Facts
  /** Names every reaction before the first fact is told; answers the jobs that work them and drop old facts. */
  connect(reactions: readonly Reaction[]): readonly JobDefinition[]
}

const JOB = 'facts.react'
/** Long after the last retry of a reaction; only reactions read facts. */
const KEPT_MS = 30 * 24 * 60 * 60_000
const BATCH = 1000

/** A transactional outbox: the fact and the jobs of its reactions commit with the change, or not at all. */
export function createFacts(options: FactsOptions): FactsHouse {
  const byFact = new Map<string, Reaction[]>()
  const byName = new Map<string, Reaction>()
  function telling(kind: string, version: number, payloads: readonly unknown[]): readonly Statement[] {
    const occurredAt = options.clock.now()
    const told = payloads.map((payload) => ({ id: options.ids.next(), kind, version, payload, occurredAt }))
    if (told.length === 0) return []
    const wanted = (byFact.get(kind) ?? []).flatMap(({ name, wants }) =>
      told
        .filter((fact) => wants?.(fact.payload) ?? true)
        .map((fact) => ({ key: `${fact.id}:${name}`, payload: { factId: fact.id, reaction: name } })),
    )
    return [store.recordingFacts(told), ...(wanted.length > 0 ? [options.jobs.adding(JOB, wanted)] : [])]
  }

  async function tellAll(db: Queryable, kind: string, version: number, payloads: readonly unknown[]): Promise<void> {
    for (const statement of telling(kind, version, payloads)) await execute(db, statement)
  }

  const work: JobDefinition = {
    name: JOB,
    async run(payload) {
      const { factId, reaction: name } = readPayload(payload)
      const reaction = byName.get(name)
      // A later version no longer has the reaction: the job has nothing to do.
      if (!reaction) return
      const fact = await store.findFact(options.database.kysely, factId)
      if (!fact) return
      options.failPoints.hit('facts.before_reaction')
      await reaction.react(fact)
      options.failPoints.hit('facts.after_reaction')
    },
  }
  const drop: JobDefinition = {
    name: 'facts.drop-old',
    cron: '41 * * * *',
    async run(_payload, signal) {
      const belowId = lowestIdOf(options.clock.now().getTime() - KEPT_MS)
      while (!signal.aborted && (await store.dropFacts(options.database.kysely, belowId, BATCH)) === BATCH);
    },
  }

  return {
    facts: {
      tell: (db, kind, version, payload) => tellAll(db, kind, version, [payload]),
      tellAll,
      telling,
    },
    connect(reactions) {
      for (const reaction of reactions) {
        if (byName.has(reaction.name)) throw new Error(`Two reactions are called ${reaction.name}`)
        byName.set(reaction.name, reaction)
        byFact.set(reaction.fact, [...(byFact.get(reaction.fact) ?? []), reaction])
      }
      return [work, drop]
    },
  }
}

function readPayload(payload: unknown): { factId: string; reaction: string } {
  if (typeof payload === 'object' && payload !== null && 'factId' in payload && 'reaction' in payload) {
    return { factId: String(payload.factId), reaction: String(payload.reaction) }
  }
  throw new Error('A reaction job without factId and reaction')
}
