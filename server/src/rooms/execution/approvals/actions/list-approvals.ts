import type { ApprovalQuery } from '@signalbox/contracts/approvals'
import { type Caller, type Page, prefixesWithin, readCursor } from '#platform/http'
import type { Kit } from '#platform/room'
import type { HeldRun, Runs } from '#rooms/execution/runs'
import type { Access } from '#rooms/foundation/access'
import { type Decision, decisionOf, type Request, refusalOf } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { candidateOf } from './know-candidate.ts'

export interface ListNeeds {
  readonly access: Pick<Access, 'snapshot'>
  readonly runs: Pick<Runs, 'listHeld'>
}

/** What waits for one person: a step of a run, or a run of a pull request from a fork. */
export type Waiting =
  | { readonly kind: 'step'; readonly id: string; readonly request: Request; readonly decisions: readonly Decision[] }
  | { readonly kind: 'fork'; readonly id: string; readonly run: HeldRun }

const DEFAULT_LIMIT = 50
/** Requests read at a time; those that others decide about are passed over. */
const CHUNK = 200

/** Newest first: what the caller may decide now and has not decided yet. */
export async function listApprovals(
  kit: Kit,
  needs: ListNeeds,
  caller: Caller,
  query: ApprovalQuery,
): Promise<Page<Waiting>> {
  const limit = query.limit ?? DEFAULT_LIMIT
  const before = readCursor(query.cursor)
  const within = (prefixes: readonly string[]): readonly string[] =>
    query.team_path === undefined ? prefixes : prefixesWithin(prefixes, query.team_path)
  const steps = await listSteps(kit, needs, caller, { prefixes: within(caller.prefixes('run.read')), before, limit })
  const held = await needs.runs.listHeld(kit.database.kysely, {
    prefixes: within(caller.prefixes('run.approve')),
    before,
    limit: limit + 1,
  })
  const forks = held.map((run): Waiting => ({ kind: 'fork', id: run.id, run }))
  const all = [...steps, ...forks].toSorted((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0))
  const items = all.slice(0, limit)
  return { items, next: all.length > limit ? items.at(-1)?.id : undefined }
}

async function listSteps(
  kit: Kit,
  needs: ListNeeds,
  caller: Caller,
  page: { readonly prefixes: readonly string[]; readonly before: string | undefined; readonly limit: number },
): Promise<Waiting[]> {
  const db = kit.database.kysely
  const candidate = candidateOf(await needs.access.snapshot(), caller)
  const found: Waiting[] = []
  let { before } = page
  while (found.length <= page.limit) {
    const { prefixes } = page
    const chunk = await store.listWaiting(db, { prefixes, called: candidate.called, before, limit: CHUNK })
    const mine = chunk.filter((request) => refusalOf(candidate, request) === null)
    const decisions = Map.groupBy(
      await store.listDecisions(
        db,
        mine.map((request) => request.id),
      ),
      (decision) => decision.requestId,
    )
    for (const request of mine) {
      const given = decisions.get(request.id) ?? []
      if (decisionOf(candidate, given)) continue
      found.push({ kind: 'step', id: request.id, request, decisions: given })
    }
    before = chunk.at(-1)?.id
    if (chunk.length < CHUNK) break
  }
  return found
}
