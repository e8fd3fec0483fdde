import type { GraphApprovalField } from '@signalbox/pipeline/graph'
import type { Initiator } from '#rooms/execution/runs'

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
  readonly initiator: Initiator
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
  readonly by: Initiator
  readonly decision: 'approve' | 'reject'
  readonly comment: string | null
  readonly fields: Readonly<Record<string, string>>
  readonly commitSha: string | null
  readonly decidedAt: Date
  /** Why it does not count any more; null: it counts. */
  readonly lapsed: string | null
}

/** What a decided request means for its run. */
export interface Outcome {
  readonly outcome: 'approved' | 'rejected' | 'timed_out'
  /** One sentence. */
  readonly reason: string
  readonly outputs: Readonly<Record<string, string>>
}

/**
 * What the decisions so far make of a request: one rejection rejects it, `required` approvals that still count approve it.
 * Where several filled in a field, the last one's value counts.
 */
export function judgeDecisions(
  request: Pick<Request, 'required' | 'fields'>,
  decisions: readonly Decision[],
): Outcome | undefined {
  const rejection = decisions.find((decision) => decision.decision === 'reject')
  if (rejection) {
    const why = rejection.comment === null ? '' : `: ${rejection.comment}`
    return { outcome: 'rejected', reason: `rejected by ${rejection.by.name}${why}`, outputs: {} }
  }
  const counting = decisions.filter(({ lapsed }) => lapsed === null)
  if (counting.length < request.required) return undefined
  const names = counting.map((decision) => decision.by.name)
  const given = Object.assign({}, ...counting.map((decision) => decision.fields))
  return {
    outcome: 'approved',
    reason: `approved by ${new Intl.ListFormat('en').format(names)}`,
    outputs: { ...defaultsOf(request.fields), ...given, decided_by: names.join(', ') },
  }
}

function defaultsOf(fields: readonly GraphApprovalField[]): Record<string, string> {
  return Object.fromEntries(fields.flatMap((field) => (field.default === null ? [] : [[field.name, field.default]])))
}

/** Said where voices that did not count for a while count again: nobody has decided anything since. */
export const ENOUGH_AGAIN =
  'As many have approved as must, counting those that count again: send any of the approvals once more.'

/** Why a request cannot be approved as things are, by how many may decide about it; null: it can. */
export function describeObstacle(request: Pick<Request, 'required' | 'approvers'>, possible: number): string | null {
  const { required, approvers } = request
  if (possible >= required) return null
  const can = possible === 0 ? 'nobody can' : `only ${possible} can`
  return `Of those who are to decide (${approvers.join(', ')}) ${can}, and ${required} must: put people there, or cancel the run.`
}

/** What is said of a request whose time is over. */
export function describeTimeout(request: Pick<Request, 'step' | 'required' | 'approvers'>, given: number): string {
  const had = given === 0 ? 'nobody has decided' : `${given} of ${request.required} have approved`
  return `the approval of step ${request.step} timed out: ${had} (${request.approvers.join(', ')})`
}
