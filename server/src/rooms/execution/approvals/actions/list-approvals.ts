import type { ApprovalQuery } from '@signalbox/contracts/approvals'
import { type Caller, type Page, pageOf, prefixesWithin, type Window } from '#platform/http'
import type { HeldRun } from '#rooms/execution/runs'
import type { AccessSnapshot } from '#rooms/foundation/access'
import type { Means } from '../means.ts'
import { isOwn, type Request } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { judgeVotes, type Votes } from './judge-votes.ts'
import { withAskers } from './with-askers.ts'

/** A step of a run, or a run of a pull request from a fork, that waits for one person. */
export type Waiting =
  | { readonly kind: 'step'; readonly id: string; readonly request: Request; readonly votes: Votes }
  | { readonly kind: 'fork'; readonly id: string; readonly run: HeldRun }

/** Newest first: what the caller may decide now and has not decided yet. */
export function listApprovals(means: Means, caller: Caller, query: ApprovalQuery): Promise<Page<Waiting>> {
  const within = (prefixes: readonly string[]): readonly string[] =>
    query.team_path === undefined ? prefixes : prefixesWithin(prefixes, query.team_path)
  return pageOf(query, async (window) => {
    const steps = await listSteps(means, caller, within, window)
    const prefixes = within(caller.prefixes('run.approve'))
    const held = await means.runs.listHeld(means.database.kysely, { ...window, prefixes })
    const forks = held.map((run): Waiting => ({ kind: 'fork', id: run.id, run }))
    return [...steps, ...forks].toSorted((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)).slice(0, window.limit)
  })
}

/** What waits in a team and the teams below it: for anybody, and for the caller. Neither is counted beyond `most`. */
export async function countApprovals(
  means: Means,
  caller: Caller,
  teamPath: string,
  most: number,
): Promise<{ readonly waiting: number; readonly mine: number }> {
  const db = means.database.kysely
  const within: Within = (prefixes) => prefixesWithin(prefixes, teamPath)
  const window = { before: undefined, limit: most }
  const readable = within(caller.prefixes('run.read'))
  const steps = await store.countWaiting(db, readable, most)
  const forks = await means.runs.listHeld(db, { ...window, prefixes: readable })
  const names = namesOf(await means.access.snapshot(), caller, within)
  const mine = await listOthers(means, caller, { ...window, names })
  const decidable = forks.filter((fork) => caller.can('run.approve', fork.teamPath))
  return {
    waiting: Math.min(most, steps + forks.length),
    mine: Math.min(most, mine.length + decidable.length),
  }
}

type Within = (prefixes: readonly string[]) => readonly string[]

async function listSteps(means: Means, caller: Caller, within: Within, window: Window): Promise<Waiting[]> {
  const db = means.database.kysely
  const snapshot = await means.access.snapshot()
  const names = namesOf(snapshot, caller, within)
  const requests = await listOthers(means, caller, { ...window, names })
  const decisions = await store.groupDecisions(db, requests)
  return requests.map((request) => {
    const votes = judgeVotes(snapshot, request, decisions.get(request.id) ?? [])
    return { kind: 'step', id: request.id, request, votes }
  })
}

/** Without those that the caller asked for at a provider: the accounts of users are known to another room. */
async function listOthers(
  means: Means,
  caller: Caller,
  filter: Omit<store.WaitingFilter, 'asker'>,
): Promise<readonly Request[]> {
  const db = means.database.kysely
  const found: Request[] = []
  let { before } = filter
  for (;;) {
    const ids = await store.listWaiting(db, { ...filter, before, asker: caller })
    const requests = await withAskers(means, db, await store.listByIds(db, ids))
    found.push(...requests.filter((request) => request.allowSelf || !isOwn(caller, request)))
    before = ids.at(-1)
    if (ids.length < filter.limit || found.length >= filter.limit) return found.slice(0, filter.limit)
  }
}

/**
 * The names by which the caller is asked, with the paths at which each counts, as `refusalOf` judges. A name of the caller
 * counts where they see runs, a role where they have it.
 */
function namesOf(snapshot: AccessSnapshot, caller: Caller, within: Within): readonly store.AskedName[] {
  const visible = within(caller.prefixes('run.read'))
  const named = snapshot.calledBy(caller).flatMap((approver) => visible.map((teamPath) => ({ approver, teamPath })))
  if (caller.kind === 'service_account') return named
  const roles = snapshot.listRoles(caller).flatMap(({ role, teamPath }) => {
    const paths = within([teamPath])
    return paths.map((path) => ({ approver: `role:${role}`, teamPath: path }))
  })
  return [...named, ...roles]
}
