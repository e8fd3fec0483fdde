import type { ApprovalInput } from '@signalbox/contracts/approvals'
import { execute, type Queryable, type Tx } from '#platform/database'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { runProblem } from '../errors.ts'
import { approvalFact } from '../facts.ts'
import type { Means } from '../means.ts'
import { FORK, judgeApproval } from '../rules/approval.ts'
import { type ApprovalRow, clearHold, findApproval, insertApproval, lockHeld } from '../store/approvals.ts'
import { findRunStatus } from '../store/list-runs.ts'
import type { DetailRow, RunStatusRow } from '../store/run-columns.ts'
import { lockGroups } from '../store/standing-runs.ts'
import { cancelRuns } from './change-runs.ts'
import { findVisibleRun } from './find-visible-run.ts'
import { settling } from './settle-runs.ts'

export interface DecidedApproval {
  readonly run: RunStatusRow
  readonly approval: ApprovalRow
}

/**
 * Lets a run of a pull request from a fork begin, or ends it. Repeating a decision changes nothing. 404 for a run that never
 * waited for this approval. 409 when the approval was decided otherwise (run.decided), the run has finished (run.finished),
 * or its commit is not the newest of the pull request (run.head_moved).
 */
export async function decideFork(
  means: Means,
  origin: RequestOrigin,
  id: string,
  input: ApprovalInput,
): Promise<DecidedApproval> {
  const decide = await prepareForkDecision(means, origin, id, input)
  return means.database.transaction(decide, {
    afterCommit: ({ ended }) => ended.forEach((cause) => void means.observe('canceled', cause)),
  })
}

/** In a transaction that the caller makes; with the causes of the runs that ended. */
export type ForkDecision = (tx: Tx) => Promise<DecidedApproval & { readonly ended: readonly string[] }>

/** Checks the rights that `decideFork` checks; answers what decides in a transaction. */
export async function prepareForkDecision(
  means: Means,
  origin: RequestOrigin,
  id: string,
  input: ApprovalInput,
): Promise<ForkDecision> {
  const { caller } = origin
  const run = await findVisibleRun(means, caller, id)
  requirePermission(caller, 'run.approve', run.team_path)
  const unknown = () => platformProblem('not_found', `The run never waited for an approval named ${FORK}.`)
  return async (tx) => {
    await lockGroups(tx, [run.id])
    const locked = await lockHeld(tx, run.id)
    if (!locked) throw unknown()
    const earlier = await findApproval(tx, run.id, FORK)
    const verdict = judgeApproval(
      { decision: input.decision, commitSha: input.commit_sha },
      {
        status: locked.status,
        held: locked.withheld === 'fork_approval',
        commitSha: locked.commit_sha,
        earlier: earlier?.decision,
        head: await findHead(means, tx, run),
      },
    )
    switch (verdict.kind) {
      case 'repeated':
      case 'decide':
        break
      case 'unknown':
        throw unknown()
      case 'decided':
      case 'finished':
      case 'head_moved':
        throw runProblem(`run.${verdict.kind}`, verdict.detail)
      default:
        throw verdict satisfies never
    }
    const approval = earlier ?? newApproval(means, origin, input, locked.commit_sha)
    const ended = earlier ? [] : await apply(means, tx, run.id, approval)
    if (!earlier) await tellDecided(means, tx, origin, { run, approval })
    return { approval, run: (await findRunStatus(tx, run.id)) ?? run, ended }
  }
}

async function findHead(means: Means, db: Queryable, run: DetailRow): Promise<string | undefined> {
  if (run.repository === null || run.pull_request === null) return undefined
  const { event_id: eventId, repository, pull_request: pullRequest } = run
  return await means.above.readHead(db, { eventId, repository, pullRequest })
}

function newApproval(
  means: Means,
  { caller }: RequestOrigin,
  { decision, comment }: ApprovalInput,
  commitSha: string | null,
): ApprovalRow {
  return {
    name: FORK,
    decision,
    subject_kind: caller.kind,
    subject_id: caller.id,
    subject_name: caller.name,
    comment: comment ?? null,
    commit_sha: commitSha,
    decided_at: means.clock.now(),
  }
}

/** Stores the decision, and lets the run begin or ends it. Answers the causes of the runs that ended. */
async function apply(means: Means, tx: Tx, id: string, approval: ApprovalRow): Promise<readonly string[]> {
  await insertApproval(tx, id, approval)
  return approval.decision === 'approve' ? await enterQueue(means, tx, id) : await reject(means, tx, id, approval)
}

async function enterQueue(means: Means, tx: Tx, id: string): Promise<readonly string[]> {
  await clearHold(tx, id)
  const causes: string[] = []
  const counting = { ...means, observe: (_status: string, cause: string) => void causes.push(cause) }
  for (const statement of settling(counting, { ids: [id], arrived: false })) await execute(tx, statement)
  return causes
}

async function reject(means: Means, tx: Tx, id: string, approval: ApprovalRow): Promise<readonly string[]> {
  return await cancelRuns(means, tx, { ids: [id], reason: whyRejected(approval), at: approval.decided_at })
}

function whyRejected({ subject_name, comment }: ApprovalRow): string {
  return comment === null ? `rejected by ${subject_name}` : `rejected by ${subject_name}: ${comment}`
}

async function tellDecided(
  means: Means,
  db: Queryable,
  origin: RequestOrigin,
  { run, approval }: { readonly run: DetailRow; readonly approval: ApprovalRow },
): Promise<void> {
  const { kind, version, payload } = approvalFact(run, approval)
  await means.facts.tell(db, kind, version, payload)
  await means.audit.record(db, {
    origin,
    action: kind,
    resource: { kind: 'run', id: run.id },
    teamPath: run.team_path,
    after: {
      approval: approval.name,
      repository: run.repository,
      pull_request: run.pull_request,
      commit_sha: approval.commit_sha,
      comment: approval.comment,
    },
  })
}
