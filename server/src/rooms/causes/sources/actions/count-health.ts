import { LRUCache } from 'lru-cache'
import type { Kit } from '#platform/room'
import type { Forges } from '../means.ts'
import { judgeHealth, type Source, type SourceState } from '../rules/index.ts'
import { readNewestAnswers } from '../store/health.ts'
import { listSources } from '../store/sources.ts'

/** More than these are not judged at once: each takes a look at its newest deliveries. */
const MOST_SOURCES = 200
/** Enough to tell a failing source from a healthy one, also behind some pings. */
const ANSWERS = 50
/** Homes of teams are open on many screens; a source does not fall ill every second. */
const REMEMBERED_MS = 10_000

export type HealthCounts = Readonly<Record<SourceState, number>>

/** How the sources at and below some team paths do, in numbers. What was judged lately is not judged again. */
export function createHealthCounter(means: Kit & { readonly forges: Forges }) {
  const judged = new LRUCache<string, { readonly state: SourceState; readonly at: number }>({ max: 1000 })

  async function stateOf(source: Source): Promise<SourceState> {
    // A source that was changed is judged anew.
    const key = `${source.id} ${source.updatedAt.getTime()}`
    const now = means.clock.now()
    const known = judged.get(key)
    if (known && means.clock.monotonic() - known.at < REMEMBERED_MS) return known.state
    const forge = means.forges.find(source.provider)
    const newest = await readNewestAnswers(means.database.kysely, source.id, ANSWERS)
    const pausesAfter = forge?.webhooks.pausesAfter ?? null
    const { status } = judgeHealth({ ...newest, enabled: source.enabled, provider: source.provider, pausesAfter, now })
    judged.set(key, { state: status, at: means.clock.monotonic() })
    return status
  }

  return async (prefixes: readonly string[]): Promise<HealthCounts> => {
    const filter = { prefixes, teamPath: undefined, before: undefined, limit: MOST_SOURCES }
    const counts = { healthy: 0, failing: 0, silent: 0, disabled: 0, unused: 0 }
    for (const source of await listSources(means.database.kysely, filter)) counts[await stateOf(source)] += 1
    return counts
  }
}
