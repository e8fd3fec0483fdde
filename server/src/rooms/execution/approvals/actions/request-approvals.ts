import type { Principal } from '@signalbox/contracts/http'
import type { GraphApproval } from '@signalbox/pipeline/graph'
import type { Tx } from '#platform/database'
import { APPROVAL_REQUESTED, approvalTold } from '../facts.ts'
import type { Means } from '../means.ts'
import type { Request } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** At the deadline of a request. The payload of both jobs is `{ id }`. */
export const EXPIRE_JOB = 'approvals.expire'
export const REMIND_JOB = 'approvals.remind'

/** An approval step that a run has reached. */
export interface NewApproval {
  readonly runId: string
  readonly step: string
  readonly approval: GraphApproval
  readonly run: {
    readonly teamPath: string
    readonly pipelineIdentifier: string
    readonly pipelineVersionId: string
    readonly scope: string
    readonly initiator: Principal
    readonly repository: string | null
    readonly commitSha: string | null
  }
}

/** Stores requests, with the jobs that end and remind of them. A repetition changes nothing. */
export async function requestApprovals(means: Means, tx: Tx, wanted: readonly NewApproval[]): Promise<void> {
  const at = means.clock.now()
  const requests = wanted.map((one) => toRequest(means.ids.next(), one, at))
  const stored = await store.insertRequests(tx, requests)
  const fresh = requests.filter((request) => stored.has(request.id))
  for (const { id, deadlineAt, remindAt } of fresh) {
    await means.jobs.add(tx, EXPIRE_JOB, { id }, { key: `${EXPIRE_JOB}:${id}`, runAt: deadlineAt })
    if (remindAt) await means.jobs.add(tx, REMIND_JOB, { id }, { key: `${REMIND_JOB}:${id}`, runAt: remindAt })
  }
  await means.facts.tellAll(tx, APPROVAL_REQUESTED.kind, APPROVAL_REQUESTED.version, fresh.map(approvalTold))
}

function toRequest(id: string, { runId, step, approval, run }: NewApproval, at: Date): Request {
  const after = (ms: number): Date => new Date(at.getTime() + ms)
  const { approvers, required, allowSelf, message, fields, timeoutMs, reminderMs } = approval
  return {
    id,
    runId,
    step,
    ...run,
    askedBy: [],
    approvers,
    required,
    allowSelf,
    message,
    fields,
    status: 'waiting',
    requestedAt: at,
    deadlineAt: after(timeoutMs),
    remindAt: reminderMs === null || reminderMs >= timeoutMs ? null : after(reminderMs),
    decidedAt: null,
  }
}
