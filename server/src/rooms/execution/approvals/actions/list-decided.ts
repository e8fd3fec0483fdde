import type { ApprovalQuery } from '@signalbox/contracts/approvals'
import { type Caller, type Page, pageOf, prefixesOf } from '#platform/http'
import type { DecidedFork, DecidedPlace } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import type { Decision, Request } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** A step of a run, or a run of a pull request from a fork, that was decided. */
export type Decided =
  | { readonly kind: 'step'; readonly id: string; readonly request: Request; readonly decisions: readonly Decision[] }
  | { readonly kind: 'fork'; readonly id: string; readonly run: DecidedFork }

/** The newest decision first: what was approved, rejected or timed out, of the runs that the caller may see. */
export function listDecidedApprovals(means: Means, caller: Caller, query: ApprovalQuery): Promise<Page<Decided>> {
  const prefixes = prefixesOf(caller, 'run.read', query.team_path)
  return pageOf(query, async ({ before: cursor, limit }) => {
    const before = cursor === undefined ? undefined : await findPlace(means, cursor, prefixes)
    // The run of the cursor is gone, or the caller may not see it: then nor when it was decided.
    if (cursor !== undefined && !before) return []
    const filter = { prefixes, before, limit }
    const steps = await listSteps(means, filter)
    const forks = await means.runs.listDecidedForks(means.database.kysely, filter)
    return [...steps, ...forks.map((run): Decided => ({ kind: 'fork', id: run.id, run }))]
      .toSorted(newestFirst)
      .slice(0, limit)
  })
}

async function findPlace(means: Means, id: string, prefixes: readonly string[]): Promise<DecidedPlace | undefined> {
  const db = means.database.kysely
  const step = await store.findDecisionTime(db, id, prefixes)
  const at = step ?? (await means.runs.findForkDecisionTime(db, id, prefixes))
  return at && { at, id }
}

async function listSteps(means: Means, filter: Parameters<typeof store.listDecidedIds>[1]): Promise<Decided[]> {
  const db = means.database.kysely
  const requests = await store.listByIds(db, await store.listDecidedIds(db, filter))
  const decisions = await store.groupDecisions(db, requests)
  return requests.map((request) => ({
    kind: 'step',
    id: request.id,
    request,
    decisions: decisions.get(request.id) ?? [],
  }))
}

/** As the statements of both order: by time, then by id. */
function newestFirst(left: Decided, right: Decided): number {
  return timeOf(right) - timeOf(left) || (left.id < right.id ? 1 : -1)
}

function timeOf(decided: Decided): number {
  return (decided.kind === 'fork' ? decided.run.decidedAt : decided.request.decidedAt)?.getTime() ?? 0
}
