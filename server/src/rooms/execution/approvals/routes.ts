import * as shapes from '@signalbox/contracts/approvals'
import { approvalRoutes as stated } from '@signalbox/contracts/approvals/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { toWireTime } from '#platform/time'
import type { HeldRun } from '#rooms/execution/runs'
import { decideRequest } from './actions/decide-request.ts'
import { readRequests } from './actions/find-requests.ts'
import { listApprovals, type Waiting } from './actions/list-approvals.ts'
import { presentDecision, presentRequest } from './actions/present-request.ts'
import type { Means } from './means.ts'

const FORK = 'fork'

export function approvalRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    listApprovals: async (request) => {
      const page = await listApprovals(means, request.caller, request.query)
      return answer(200, page.items.map(presentWaiting), linkNext(request.url, page))
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

function presentHeld(run: HeldRun): shapes.ApprovalRequest {
  return {
    run_id: run.id,
    step: FORK,
    pipeline: run.pipeline,
    team_path: run.teamPath,
    scope: run.scope,
    repository: run.repository,
    commit_sha: run.commitSha,
    initiator: { kind: run.initiatorKind, id: run.initiatorId, name: run.initiatorName },
    status: 'waiting',
    approvers: ['role:operator'],
    required: 1,
    obstacle: null,
    refusal: null,
    allow_self: true,
    message: `Pull request ${run.pullRequest ?? ''} comes from a fork or an unknown place: look at its commit first.`,
    fields: [],
    requested_at: toWireTime(run.queuedAt),
    deadline_at: null,
    remind_at: null,
    decided_at: null,
    decisions: [],
  }
}
