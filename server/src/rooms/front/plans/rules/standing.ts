import { isOpen, type StoredPlan, statusAt } from './stored-plan.ts'

/** The one who looks at a plan. */
export interface Looker {
  readonly kind: string
  readonly id: string
  readonly tokenId: string | null
  readonly sessionId: string | null
  /** The token may do less than its owner. */
  readonly isLimited: boolean
  /** The looker holds all that the write asked for, and is one of those whom it is up to. */
  readonly mayDoIt: boolean
}

export interface Standing {
  readonly maySee: boolean
  /** It is the looker's, whichever credential made it. */
  readonly isOwn: boolean
  readonly hasCredential: boolean
  readonly mayConfirm: boolean
  readonly mayApprove: boolean
  readonly mayRefuse: boolean
  /** Who may no longer do what was done is not told what came of it. */
  readonly seesOutcome: boolean
}

/**
 * A plan is seen by the account that made it, and by persons who may do the same, once it was put before them. A token with
 * limits sees the plans alone that it made. Nobody approves what their own account planned.
 */
export function standingOf(plan: StoredPlan, looker: Looker, now: Date): Standing {
  const isOwn = plan.planner.kind === looker.kind && plan.planner.id === looker.id
  const hasCredential = isOwn && plan.tokenId === looker.tokenId && plan.sessionId === looker.sessionId
  const seesOwn = isOwn && (hasCredential || !looker.isLimited)
  const isPeer = looker.kind === 'user' && !isOwn && looker.mayDoIt
  const wasAsked = plan.confirmation === 'person' && plan.status !== 'waiting'
  const mayApprove = isPeer && wasAsked && statusAt(plan, now) === 'waiting_for_person'
  return {
    maySee: seesOwn || (isPeer && wasAsked),
    isOwn,
    hasCredential,
    mayConfirm: hasCredential && statusAt(plan, now) === 'waiting',
    mayApprove: mayApprove && !looker.isLimited,
    mayRefuse: isOpen(plan, now) && (seesOwn || (mayApprove && !looker.isLimited)),
    seesOutcome: looker.mayDoIt,
  }
}
