import type { SickSource } from '@signalbox/contracts/overview'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Forges } from '../means.ts'
import { type HealthVerdict, judgeHealth, type SourceState } from '../rules/index.ts'
import { type JudgedSource, listJudged, type NewestAnswers, NO_ANSWERS, readNewestAnswers } from '../store/health.ts'

/** More than these are not judged at once: each takes a look at its newest deliveries. */
const MOST_SOURCES = 200
/** Enough to tell a failing source from a healthy one, also behind some pings. */
const ANSWERS = 50
/** Nearly always one of so few was accepted: then older ones tell nothing. */
const FIRST_ANSWERS = 4
/** Homes of teams are open on many screens; a source does not fall ill every second. */
const REMEMBERED_MS = 10_000

/** Somebody can look at so many at once. */
const MOST_SICK = 5

export type HealthCounts = Readonly<Record<SourceState, number>> & {
  /** Those that fail first, then those that are silent. */
  readonly sick: SickSource[]
}

/** How the sources at and below some team paths do, in numbers. What was judged lately is not judged again. */
export function createHealthCounter(means: Kit & { readonly forges: Pick<Forges, 'find'> }) {
  const judged = new LRUCache<string, { readonly verdict: HealthVerdict; readonly at: number }>({ max: 1000 })

  function recall(source: JudgedSource): HealthVerdict | undefined {
    const known = judged.get(keyOf(source))
    return known && means.clock.monotonic() - known.at < REMEMBERED_MS ? known.verdict : undefined
  }

  async function judgeAll(sources: readonly JudgedSource[]): Promise<void> {
    if (sources.length === 0) return
    const newest = await readAnswers(
      means.database.kysely,
      sources.map(({ id }) => id),
    )
    const [now, at] = [means.clock.now(), means.clock.monotonic()]
    for (const source of sources) {
      const { enabled, provider } = source
      const pausesAfter = means.forges.find(provider)?.webhooks.pausesAfter ?? null
      const facts = { ...(newest.get(source.id) ?? NO_ANSWERS), enabled, provider, pausesAfter, now }
      judged.set(keyOf(source), { verdict: judgeHealth(facts), at })
    }
  }

  return async (prefixes: readonly string[]): Promise<HealthCounts> => {
    const sources = await listJudged(means.database.kysely, prefixes, MOST_SOURCES)
    await judgeAll(sources.filter((source) => recall(source) === undefined))
    const counts = { healthy: 0, failing: 0, silent: 0, disabled: 0, unused: 0 }
    for (const source of sources) counts[judged.get(keyOf(source))?.verdict.status ?? 'unused'] += 1
    const sick = (status: SickSource['status']): SickSource[] =>
      sources.flatMap((source) => {
        const verdict = judged.get(keyOf(source))?.verdict
        if (verdict?.status !== status) return []
        return [{ source_id: source.id, name: source.name, status, sentence: verdict.sentence }]
      })
    return { ...counts, sick: [...sick('failing'), ...sick('silent')].slice(0, MOST_SICK) }
  }
}

async function readAnswers(db: Queryable, sourceIds: readonly string[]): Promise<ReadonlyMap<string, NewestAnswers>> {
  const first = await readNewestAnswers(db, sourceIds, FIRST_ANSWERS)
  const unclear = sourceIds.filter((id) => first.get(id)?.goesOn)
  return unclear.length === 0 ? first : new Map([...first, ...(await readNewestAnswers(db, unclear, ANSWERS))])
}

/** A source that was changed is judged anew. */
function keyOf({ id, updatedAt }: JudgedSource): string {
  return `${id} ${updatedAt.getTime()}`
}
