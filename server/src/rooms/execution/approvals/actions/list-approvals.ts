import type { ApprovalQuery } from '@signalbox/contracts/approvals'
import { type Caller, type Page, prefixesWithin, readCursor } from '#platform/http'
import type { Kit } from '#platform/room'
import type { HeldRun, Runs } from '#rooms/execution/runs'
import type { Access, AccessSnapshot } from '#rooms/foundation/access'
import type { Request } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { judgeVoices, type Voices } from './judge-voices.ts'

export interface ListNeeds {
  readonly access: Pick<Access, 'snapshot'>
  readonly runs: Pick<Runs, 'listHeld'>
}

/** What waits for one person: a step of a run, or a run of a pull request from a fork. */
export type Waiting =
  | { readonly kind: 'step'; readonly id: string; readonly request: Request; readonly voices: Voices }
  | { readonly kind: 'fork'; readonly id: string; readonly run: HeldRun }

const DEFAULT_LIMIT = 50

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
  const steps = await listSteps(kit, needs, caller, { within, before, limit: limit + 1 })
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
  page: {
    readonly within: (prefixes: readonly string[]) => readonly string[]
    readonly before: string | undefined
    readonly limit: number
  },
): Promise<Waiting[]> {
  const db = kit.database.kysely
  const snapshot = await needs.access.snapshot()
  const names = namesOf(snapshot, caller, page.within)
  const asker = { kind: caller.kind, id: caller.id }
  const ids = await store.listWaiting(db, { asker, names, before: page.before, limit: page.limit })
  const requests = await store.listByIds(db, ids)
  const decisions = Map.groupBy(await store.listDecisions(db, ids), (decision) => decision.requestId)
  return requests.map((request) => {
    const voices = judgeVoices(snapshot, request, decisions.get(request.id) ?? [])
    return { kind: 'step', id: request.id, request, voices }
  })
}

/**
 * Under which names, at which paths, the caller is asked, as `refusalOf` judges: what they are called counts where they see
 * runs, a role where they have it.
 */
function namesOf(
  snapshot: AccessSnapshot,
  caller: Caller,
  within: (prefixes: readonly string[]) => readonly string[],
): readonly store.AskedName[] {
  const visible = within(caller.prefixes('run.read'))
  const named = snapshot.calledBy(caller).flatMap((approver) => visible.map((teamPath) => ({ approver, teamPath })))
  if (caller.kind === 'service_account') return named
  const roles = snapshot.listRoles(caller).flatMap(({ role, teamPath }) => {
    const paths = within([teamPath])
    return paths.map((path) => ({ approver: `role:${role}`, teamPath: path }))
  })
  return [...named, ...roles]
}
