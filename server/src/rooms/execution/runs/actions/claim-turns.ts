import type { Tx } from '#platform/database'
import { type QueuedRun, takeTurns } from '../rules/turns.ts'
import {
  type CandidateRow,
  type ClaimWish,
  listCandidates,
  lockAlone,
  lockOneQueued,
  lockQueued,
} from '../store/claims.ts'
import type { RunRow } from '../store/run-columns.ts'

export interface ClaimedTurns {
  /** Locked, in the order of their turns. */
  readonly rows: readonly RunRow[]
  /** Lanes in which more may be queued. */
  readonly fullLanes: ReadonlySet<string>
}

/** Some teams have fewer runs than their share, and another dispatcher may have locked some. */
const PLENTY = 2
/** Where other dispatchers have locked so many that places would stay empty, the next look reads more. */
const MORE = 4
const LOOKS = 3

/**
 * Locks the queued runs whose turn it is, of each lane as many as the round could begin. Turns are read from the runs
 * themselves, so that all processes agree. Where teams share a lane, the order is found without locks: another
 * dispatcher goes on behind these runs and waits for nothing. A locked run that does not begin, for want of places,
 * can be overtaken by runs of that dispatcher.
 */
export async function claimTurns(tx: Tx, wish: ClaimWish): Promise<ClaimedTurns> {
  const { limit, only } = wish
  if (only !== undefined) return { rows: await lockOneQueued(tx, wish.lanes, only), fullLanes: new Set() }
  const alone = await lockAlone(tx, wish)
  const full = [...Map.groupBy(alone.rows, ({ lane }) => lane)].flatMap(([lane, { length }]) =>
    length < limit ? [] : [lane],
  )
  if (alone.shared.length === 0) return { rows: takeTurns(alone.rows), fullLanes: new Set(full) }
  for (let look = 1, plenty = PLENTY; ; look++, plenty *= MORE) {
    const candidates = await listCandidates(tx, { ...wish, lanes: alone.shared }, plenty)
    const ordered = takeTurns<QueuedRun>([...alone.rows, ...candidates])
    const shared = new Map(candidates.map((candidate) => [candidate.id, candidate]))
    const lanes = Map.groupBy(
      ordered.flatMap(({ id }) => shared.get(id) ?? []),
      ({ lane }) => lane,
    )
    const lists = [...lanes.values()].map((found) => found.map(({ id }) => id))
    const locked = new Map([...alone.rows, ...(await lockQueued(tx, lists, limit))].map((row) => [row.id, row]))
    const states = [...lanes].map(([lane, found]) => ({ lane, ...stateOf(found, locked, limit) }))
    if (look < LOOKS && states.some(({ isShort }) => isShort)) continue
    return {
      rows: ordered.flatMap(({ id }) => locked.get(id) ?? []),
      fullLanes: new Set([...full, ...states.flatMap(({ lane, isFull }) => (isFull ? [lane] : []))]),
    }
  }
}

/** Full: more may be queued. Short: so much of what was found is in other hands that more should be looked for. */
function stateOf(found: readonly CandidateRow[], locked: ReadonlyMap<string, unknown>, limit: number) {
  const got = found.filter(({ id }) => locked.has(id)).length
  const passedOver = got < Math.min(limit, found.length)
  const teams = [...Map.groupBy(found, ({ team_path }) => team_path).values()]
  const isCut = teams.some((team) => team.some(({ asked }) => team.length >= asked))
  return { isFull: found.length > limit || isCut || passedOver, isShort: passedOver && isCut }
}
