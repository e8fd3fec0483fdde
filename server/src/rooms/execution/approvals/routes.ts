import * as shapes from '@signalbox/contracts/approvals'
import { approvalRoutes as stated } from '@signalbox/contracts/approvals/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { toWireTime } from '#platform/time'
import { decideRequest } from './actions/decide-request.ts'
import { readRequests } from './actions/find-requests.ts'
import { listApprovals, type Waiting } from './actions/list-approvals.ts'
import { type Decided, listDecidedApprovals } from './actions/list-decided.ts'
import { FORK, presentDecidedFork, presentHeld } from './actions/present-fork.ts'
import { presentDecision, presentRequest } from './actions/present-request.ts'
import type { Means } from './means.ts'

export function approvalRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    listApprovals: async (request) => {
      const { caller, query, url } = request
      if (query.state === 'decided') {
        const decided = await listDecidedApprovals(means, caller, query)
        return answer(200, decided.items.map(presentDecided), linkNext(url, decided))
      }
      const page = await listApprovals(means, caller, query)
      return answer(200, page.items.map(presentWaiting), linkNext(url, page))
    },
    decideApproval: async (request) => answer(200, await decide(means, request)),
  })
}

type DecideRequest = Parameters<typeof originOf>[0] & {
  readonly params: { readonly id: string; readonly step: string }
  readonly body: shapes.ApprovalInput
}

async function decide(means: Means, request: DecideRequest): Promise<shapes.ApprovalAnswer> {
  const { id, step } = request.params
  const origin = originOf(request)
  await means.runs.findVisible(origin.caller, id, 'run.read')
  const db = means.database.kysely
  const decision = await decideRequest(means, origin, { runId: id, step }, request.body)
  if (decision) {
    const [run, requests] = [
      await means.runs.findVisible(origin.caller, id, 'run.read'),
      await readRequests(means, db, id, origin.caller),
    ]
    const { decision: made, by, comment, commit_sha, decided_at } = presentDecision(decision)
    return {
      ...means.runs.presentStatus(run),
      approval: { name: step, decision: made, by, comment, commit_sha, decided_at },
      request: requests.find((one) => one.step === step) ?? null,
    }
  }
  if (step !== FORK) {
    throw platformProblem('not_found', `The run has reached no approval step named ${step}; it may do so later.`)
  }
  const { run, approval } = await means.runs.decideFork(origin, id, request.body)
  return {
    ...means.runs.presentStatus(run),
    approval: {
      name: approval.name,
      decision: approval.decision === 'approve' ? 'approve' : 'reject',
      by: { kind: approval.subject_kind, id: approval.subject_id, name: approval.subject_name },
      comment: approval.comment,
      commit_sha: approval.commit_sha,
      decided_at: toWireTime(approval.decided_at),
    },
    request: null,
  }
}

function presentWaiting(waiting: Waiting): shapes.ApprovalRequest {
  if (waiting.kind === 'fork') return presentHeld(waiting.run)
  const { request, votes } = waiting
  // What is listed waits for the caller.
  return presentRequest(request, votes.all, { obstacle: votes.obstacle, refusal: null })
}

function presentDecided(decided: Decided): shapes.ApprovalRequest {
  if (decided.kind === 'fork') return presentDecidedFork(decided.run)
  // A decided request stays as it was judged then.
  return presentRequest(decided.request, decided.decisions, { obstacle: null, refusal: null })
}
