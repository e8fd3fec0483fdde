import type { ApprovalInput } from '@signalbox/contracts/approvals'
import type { Tx } from '#platform/database'
import { principalOf, type RequestOrigin } from '#platform/http'
import { approvalProblem } from '../errors.ts'
import { APPROVAL_DECIDED, approvalTold } from '../facts.ts'
import type { Means } from '../means.ts'
import {
  type Decision,
  decisionOf,
  HAS_APPROVED,
  judgeDecisions,
  type Request,
  readFields,
  refusalOf,
} from '../rules/index.ts'
import * as store from '../store/index.ts'
import { candidateOf, judgeVotes } from './judge-votes.ts'
import { withAskers } from './with-askers.ts'

/**
 * One person's decision; undefined where the run has not reached the step. Earlier votes are judged anew. A repetition by
 * the same person changes nothing, unless a vote that counts again makes the request approved. Throws
 * `approval.not_approver` (403), `approval.run_canceled`, `approval.commit_differs` (409) and `approval.field_invalid` (400)
 * for every field at once. Throws `approval.decided` (409) after a decision of the request, after another decision of the
 * same person, and after the end of the run.
 */
export async function decideRequest(
  means: Means,
  origin: RequestOrigin,
  { runId, step }: { readonly runId: string; readonly step: string },
  input: ApprovalInput,
): Promise<Decision | undefined> {
  const decide = await prepareDecision(means, origin, { runId, step }, input)
  return decide && means.database.transaction(decide)
}

/** As `decideRequest`: what decides in a transaction of the caller's. */
export async function prepareDecision(
  means: Means,
  origin: RequestOrigin,
  { runId, step }: { readonly runId: string; readonly step: string },
  input: ApprovalInput,
): Promise<((tx: Tx) => Promise<Decision>) | undefined> {
  const asked = await store.findRequest(means.database.kysely, runId, step)
  if (!asked) return undefined
  const snapshot = await means.access.snapshot()
  const candidate = candidateOf(snapshot, origin.caller)
  return async (tx) => {
    const locked = await store.lockRequest(tx, asked.id)
    const [request] = locked ? await withAskers(means, tx, [locked]) : []
    if (!request) throw approvalProblem('approval.decided', 'The run is gone.')
    // The step names the owner, not a permission: a token decides only where its limits leave that kind of decision.
    if (!means.access.isWithinLimits(origin.caller, 'run.approve', request.teamPath)) throw limited(request)
    const refusal = refusalOf(candidate, request)
    if (refusal !== null) throw approvalProblem('approval.not_approver', refusal)
    const decisions = await store.listDecisions(tx, [request.id])
    const earlier = decisionOf(candidate, decisions)
    const repeated = earlier?.decision === input.decision
    if (repeated && request.status !== 'waiting') return earlier
    await requireOpen(tx, means, request, repeated ? undefined : earlier)
    const votes = judgeVotes(snapshot, request, decisions)
    for (const vote of votes.changed) await store.setLapsed(tx, vote)
    const again = repeated ? { ...earlier, lapsed: null } : undefined
    if (!again) requireCommit(request, input)
    const decision = again ?? toDecision(means, origin, request, input)
    if (!again) {
      await store.insertDecision(tx, decision)
      await store.tellRequests(tx, [request.id], 'changed')
    }
    const decided = await settle(means, tx, request, again ? votes.all : [...votes.all, decision])
    // A repetition is recorded only where it decides.
    if (again && decided === request) return decision
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
    return decision
  }
}

function limited({ step }: Request): Error {
  const detail = `Your token has limits that leave out run.approve: decide ${step} with another, or on the page.`
  return approvalProblem('approval.not_approver', detail)
}

async function requireOpen(tx: Tx, means: Means, request: Request, earlier: Decision | undefined): Promise<void> {
  if (request.status !== 'waiting') {
    throw approvalProblem('approval.decided', `The approval of ${request.step} is ${words(request.status)} already.`)
  }
  if (earlier) throw approvalProblem('approval.decided', HAS_APPROVED)
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
  // A rejection needs no fields.
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
