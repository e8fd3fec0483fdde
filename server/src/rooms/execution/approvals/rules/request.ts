import type { Principal } from '@signalbox/contracts/http'
import type { GraphApprovalField } from '@signalbox/pipeline/graph'

export type RequestStatus = 'waiting' | 'approved' | 'rejected' | 'timed_out' | 'withdrawn'

/** A step of a run that waits, or waited, for people. */
export interface Request {
  readonly id: string
  readonly runId: string
  readonly step: string
  readonly teamPath: string
  readonly pipelineIdentifier: string
  readonly pipelineVersionId: string
  readonly scope: string
  readonly initiator: Principal
  /** Ids of users whose accounts at a Git provider asked for the run. Stored are the accounts: see `withAskers`. */
  readonly askedBy: readonly string[]
  readonly repository: string | null
  readonly commitSha: string | null
  readonly approvers: readonly string[]
  readonly required: number
  readonly allowSelf: boolean
  readonly message: string | null
  readonly fields: readonly GraphApprovalField[]
  readonly status: RequestStatus
  readonly requestedAt: Date
  readonly deadlineAt: Date
  readonly remindAt: Date | null
  readonly decidedAt: Date | null
}

export interface Decision {
  readonly requestId: string
  readonly by: Principal
  readonly decision: 'approve' | 'reject'
  readonly comment: string | null
  readonly fields: Readonly<Record<string, string>>
  readonly commitSha: string | null
  readonly decidedAt: Date
  /** Why it does not count any more; null: it counts. */
  readonly lapsed: string | null
}

/** The effect of a decided request on its run. */
export interface Outcome {
  readonly outcome: 'approved' | 'rejected' | 'timed_out'
  /** One sentence. */
  readonly reason: string
  readonly outputs: Readonly<Record<string, string>>
}

/**
 * The outcome of the decisions so far: one rejection rejects a request, `required` approvals that still count approve it.
 * Where several filled in a field, the last value is the output of that name, and `answers` keeps the value of each.
 */
export function judgeDecisions(request: Request, decisions: readonly Decision[]): Outcome | undefined {
  const rejection = decisions.find((decision) => decision.decision === 'reject')
  if (rejection) return rejectedBy(rejection)
  const counting = countingOf(decisions)
  return counting.length < request.required ? undefined : approvedBy(request, counting)
}

/** The effect of a request that is over on its run; decided requests are not judged anew. Undefined: none. */
export function outcomeOf(request: Request, decisions: readonly Decision[]): Outcome | undefined {
  const counting = countingOf(decisions)
  switch (request.status) {
    case 'approved':
      return approvedBy(request, counting)
    case 'rejected':
      return rejectedBy(decisions.find((decision) => decision.decision === 'reject'))
    case 'timed_out':
      return { outcome: 'timed_out', reason: describeTimeout(request, decisions), outputs: {} }
    case 'waiting':
    case 'withdrawn':
      return undefined
    default:
      return request.status satisfies never
  }
}

function countingOf(decisions: readonly Decision[]): readonly Decision[] {
  return decisions.filter(({ decision, lapsed }) => decision === 'approve' && lapsed === null)
}

function rejectedBy(rejection: Decision | undefined): Outcome {
  const who = rejection ? ` by ${rejection.by.name}` : ''
  const why = rejection?.comment ? `: ${rejection.comment}` : ''
  return { outcome: 'rejected', reason: `rejected${who}${why}`, outputs: {} }
}

function approvedBy(request: Request, votes: readonly Decision[]): Outcome {
  const names = votes.map((vote) => vote.by.name)
  const given = Object.assign({}, ...votes.map((vote) => vote.fields))
  const who = names.length === 0 ? '' : ` by ${new Intl.ListFormat('en').format(names)}`
  return {
    outcome: 'approved',
    reason: `approved${who}`,
    outputs: { ...defaultsOf(request.fields), ...given, decided_by: names.join(', '), answers: answersOf(votes) },
  }
}

/** JSON, for tasks that need what each approver filled in and not only what the last one did. */
function answersOf(votes: readonly Decision[]): string {
  return JSON.stringify(votes.map(({ by, fields }) => ({ by: `${by.kind}:${by.name}`, fields })))
}

function defaultsOf(fields: readonly GraphApprovalField[]): Record<string, string> {
  return Object.fromEntries(fields.flatMap((field) => (field.default === null ? [] : [[field.name, field.default]])))
}

/** For votes that lapsed and count again, while nobody has decided anything since. */
export const ENOUGH_AGAIN = 'Enough approvals count now, because some count again: send any of them once more.'

/** Why a request cannot be approved as things are, by how many may decide about it; null: it can. */
export function describeObstacle({ required, approvers }: Request, possible: number): string | null {
  if (possible >= required) return null
  const can = possible === 0 ? 'nobody can' : `only ${possible} can`
  return `${required} of ${approvers.join(', ')} must approve, and ${can}: add people there, or cancel the run.`
}

function describeTimeout({ step, required, approvers }: Request, decisions: readonly Decision[]): string {
  const lapsed = decisions.filter((decision) => decision.lapsed !== null).map(({ by }) => by.name)
  const had = `${decisions.length - lapsed.length} of ${required} have approved`
  const but = lapsed.length === 0 ? '' : `, not counting ${new Intl.ListFormat('en').format(lapsed)}`
  const said = decisions.length === 0 ? 'nobody has decided' : `${had}${but}`
  return `the approval of step ${step} timed out: ${said} (${approvers.join(', ')})`
}
