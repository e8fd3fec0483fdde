import type { ApprovalInput } from '@signalbox/contracts/approvals'
import type { Tx } from '#platform/database'
import { principalOf, type RequestOrigin } from '#platform/http'
import { approvalProblem } from '../errors.ts'
import { APPROVAL_DECIDED, approvalTold } from '../facts.ts'
import type { Means } from '../means.ts'
import { type Decision, decisionOf, judgeDecisions, type Request, readFields, refusalOf } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { judgeVotes } from './judge-votes.ts'
import { candidateOf } from './know-candidate.ts'

export interface DecidedRequest {
  readonly request: Request
  readonly decision: Decision
}

/**
 * One person's decision. The same again by the same person changes nothing, unless a vote that counts again makes it
 * enough. Votes that were given before are judged anew. 403 `approval.not_approver`; 409 `approval.decided` where it is
 * decided, was decided otherwise by the same person, or the run is over; 409 `approval.run_canceled`, 409
 * `approval.commit_differs`; 400 `approval.field_invalid`, every field at once.
 */
export async function decideRequest(
  means: Means,
  origin: RequestOrigin,
  requestId: string,
  input: ApprovalInput,
): Promise<DecidedRequest> {
  const snapshot = await means.access.snapshot()
  const candidate = candidateOf(snapshot, origin.caller)
  return means.database.transaction(async (tx) => {
    const request = await store.lockRequest(tx, requestId)
    if (!request) throw approvalProblem('approval.decided', 'The run is gone.')
    const refusal = refusalOf(candidate, request)
    if (refusal !== null) throw approvalProblem('approval.not_approver', refusal)
    const decisions = await store.listDecisions(tx, [request.id])
    const earlier = decisionOf(candidate, decisions)
    const repeated = earlier?.decision === input.decision
    if (repeated && request.status !== 'waiting') return { request, decision: earlier }
    await requireOpen(tx, means, request, repeated ? undefined : earlier)
    const votes = judgeVotes(snapshot, request, decisions)
    for (const vote of votes.changed) await store.setLapsed(tx, vote)
    const again = repeated ? { ...earlier, lapsed: null } : undefined
    if (!again) requireCommit(request, input)
    const decision = again ?? toDecision(means, origin, request, input)
    if (!again) await store.insertDecision(tx, decision)
    const decided = await settle(means, tx, request, again ? votes.all : [...votes.all, decision])
    // The same again is nothing new, unless it decides.
    if (again && decided === request) return { request, decision }
    await means.audit.record(tx, {
      origin,
      action: input.decision === 'approve' ? 'run.approved' : 'run.rejected',
      resource: { kind: 'run', id: request.runId },
      teamPath: request.teamPath,
      after: {
        approval: request.step,
        commit_sha: request.commitSha,
        comment: decision.comment,
        status: decided.status,
      },
    })
    return { request: decided, decision }
  })
}

async function requireOpen(tx: Tx, means: Means, request: Request, earlier: Decision | undefined): Promise<void> {
  if (request.status !== 'waiting') {
    throw approvalProblem('approval.decided', `The approval of ${request.step} is ${words(request.status)} already.`)
  }
  if (earlier) throw approvalProblem('approval.decided', 'You have approved it already; cancel the run to stop it.')
  const run = await means.runs.findStanding(tx, request.runId)
  if (!run || run.finishedAt !== null) {
    throw approvalProblem('approval.decided', 'The run is over: there is nothing to decide any more.')
  }
  if (run.cancelRequestedAt !== null) {
    throw approvalProblem('approval.run_canceled', 'The run is being canceled: there is nothing to decide any more.')
  }
}

function words(status: Exclude<Request['status'], 'waiting'>): string {
  return status === 'timed_out' ? 'timed out' : status
}

function requireCommit(request: Request, input: ApprovalInput): void {
  if (input.commit_sha === undefined || input.commit_sha === request.commitSha) return
  const own = request.commitSha ?? 'no known commit'
  throw approvalProblem(
    'approval.commit_differs',
    `The run is of ${own}, not of ${input.commit_sha}: look at that one.`,
  )
}

function toDecision(means: Means, { caller }: RequestOrigin, request: Request, input: ApprovalInput): Decision {
  // Who rejects need fill in nothing.
  const read =
    input.decision === 'approve' ? readFields(request.fields, input.fields ?? {}) : { values: {}, faults: [] }
  if (read.faults.length > 0) {
    const detail = read.faults.map((fault) => `${fault.field} ${fault.message}`).join('; ')
    throw approvalProblem('approval.field_invalid', `Correct what was filled in: ${detail}.`, { errors: read.faults })
  }
  return {
    requestId: request.id,
    by: principalOf(caller),
    decision: input.decision,
    comment: input.comment ?? null,
    fields: read.values,
    commitSha: request.commitSha,
    decidedAt: means.clock.now(),
    lapsed: null,
  }
}

async function settle(means: Means, tx: Tx, request: Request, decisions: readonly Decision[]): Promise<Request> {
  const outcome = judgeDecisions(request, decisions)
  if (!outcome) return request
  const decidedAt = means.clock.now()
  await store.endRequest(tx, request.id, outcome.outcome, decidedAt)
  const decided: Request = { ...request, status: outcome.outcome, decidedAt }
  await means.facts.tell(tx, APPROVAL_DECIDED.kind, APPROVAL_DECIDED.version, approvalTold(decided))
  return decided
}
