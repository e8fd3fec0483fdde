import type { Tx } from '#platform/database'
import type { ClaimedRun, WaitingRow } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { noteFullLanes } from '../rules/lanes.ts'
import type { Slots, Tiers } from '../rules/slots.ts'

/** The work that a round may claim beside its items: none, that of one run, or that of all runs but some. */
export type Claims = { readonly none: true } | { readonly only: string } | { readonly except: readonly string[] }

export interface ClaimInput {
  readonly claims: Claims
  /** Gets the runs of which something was claimed, in their order: where the round fails, one of them may be why. */
  readonly claimed: Set<string>
  readonly slots: Slots
  readonly eligible: (lane: string) => Tiers
  /** Lanes in which something may be queued or wait. */
  readonly queuedLanes: readonly string[]
  readonly waitingLanes: readonly string[]
}

/** The work that a round may begin. */
export interface ClaimedWork {
  readonly waiting: readonly WaitingRow[]
  /** In the order in which they are served. */
  readonly queued: readonly ClaimedRun[]
  /** Lanes of which more may be there. */
  readonly waitingLanes: ReadonlySet<string>
  readonly queuedLanes: ReadonlySet<string>
}

/** Locks until the transaction ends what the free places could be given to; lanes without one are left alone. */
export async function claimWork({ runs }: Means, tx: Tx, input: ClaimInput): Promise<ClaimedWork> {
  const { progress } = runs
  const { claims, claimed, slots, eligible } = input
  const unseen = { waitingLanes: new Set(input.waitingLanes), queuedLanes: new Set(input.queuedLanes) }
  if ('none' in claims) return { waiting: [], queued: [], ...unseen }
  const limit = slots.free
  const only = 'only' in claims ? claims.only : undefined
  const except = 'except' in claims ? claims.except : []
  const open = (lanes: readonly string[]) => (limit === 0 ? [] : lanes.filter((lane) => slots.hasFree(eligible(lane))))
  const [waitingOpen, queuedOpen] = [open(input.waitingLanes), open(input.queuedLanes)]
  const wish = { limit, only, except }
  const waiting = waitingOpen.length > 0 ? await progress.claimWaiting(tx, { lanes: waitingOpen, ...wish }) : []
  for (const { run_id: runId } of waiting) claimed.add(runId)
  const { runs: queued, fullLanes } =
    queuedOpen.length > 0
      ? await progress.claimQueued(tx, { lanes: queuedOpen, ...wish }, (runId) => void claimed.add(runId))
      : NONE_QUEUED
  // Of the others that are there nothing was seen.
  if (only !== undefined) return { waiting, queued, ...unseen }
  const waitingLanes = new Set(input.waitingLanes.filter((lane) => !waitingOpen.includes(lane)))
  const queuedLanes = new Set(input.queuedLanes.filter((lane) => !queuedOpen.includes(lane)))
  noteFullLanes(waitingOpen, waiting, limit, waitingLanes)
  for (const lane of fullLanes) queuedLanes.add(lane)
  return { waiting, queued, waitingLanes, queuedLanes }
}

const NONE_QUEUED = { runs: [], fullLanes: [] } as const
