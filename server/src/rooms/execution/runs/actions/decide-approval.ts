import type { ApprovalInput } from '@signalbox/contracts/approvals'
import { execute, type Queryable, type Tx } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { runProblem } from '../errors.ts'
import { approvalFact } from '../facts.ts'
import { FORK, judgeApproval } from '../rules/approval.ts'
import { type ApprovalRow, clearHold, findApproval, insertApproval, lockHeld } from '../store/approvals.ts'
import { type DetailRow, findRunStatus, type RunStatusRow } from '../store/list-runs.ts'
import { lockGroups } from '../store/standing-runs.ts'
import { cancelRuns, type Observe } from './change-runs.ts'
import { findVisibleRun, requirePermission } from './find-visible-run.ts'
import { settling } from './settle-runs.ts'

/** A pull request as the event of a run told of it. */
export interface AskedPullRequest {
  readonly eventId: string | null
  readonly repository: string
  readonly pullRequest: number
}

/** The newest commit of a pull request by the source that told of the run's event, where it is known. */
export type HeadReader = (db: Queryable, asked: AskedPullRequest) => Promise<string | undefined>

export interface ApprovalNeeds {
  readonly audit: Audit
  readonly observe: Observe
  readonly readHead: HeadReader
}

export interface DecidedApproval {
  readonly run: RunStatusRow
  readonly approval: ApprovalRow
}

/**
 * Lets a run of a pull request from a fork begin, or ends it. Again the same: nothing changes. 404 for a run that never
 * waited for this approval; 409 when it was decided otherwise (run.decided), has finished (run.finished) or when its
 * commit is not the newest of the pull request (run.head_moved).
 */
export async function decideFork(
  kit: Kit,
  needs: ApprovalNeeds,
  origin: RequestOrigin,
  id: string,
  input: ApprovalInput,
): Promise<DecidedApproval> {
  const { caller } = origin
  const run = await findVisibleRun(kit.database.kysely, caller, id)
  requirePermission(caller, 'run.approve', run.team_path)
  const unknown = () => platformProblem('not_found', `The run never waited for an approval named ${FORK}.`)
  let ended: readonly string[] = []
  const decided = await kit.database.transaction(async (tx) => {
    ended = []
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
        head: await findHead(needs, tx, run),
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
    const approval = earlier ?? newApproval(kit, origin, input, locked.commit_sha)
    if (!earlier) {
      await insertApproval(tx, run.id, approval)
      ended = input.decision === 'approve' ? await enterQueue(kit, tx, run.id) : await reject(kit, tx, run.id, approval)
      await tellDecided(kit, needs, tx, origin, run, approval)
    }
    return { approval, run: (await findRunStatus(tx, run.id)) ?? run }
  })
  for (const cause of ended) needs.observe('canceled', cause)
  return decided
}

async function findHead(needs: ApprovalNeeds, db: Queryable, run: DetailRow): Promise<string | undefined> {
  if (run.repository === null || run.pull_request === null) return undefined
  const { event_id: eventId, repository, pull_request: pullRequest } = run
  return await needs.readHead(db, { eventId, repository, pullRequest })
}

function newApproval(
  kit: Kit,
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
    decided_at: kit.clock.now(),
  }
}

/** Answers the causes of the runs that ended. */
async function enterQueue(kit: Kit, tx: Tx, id: string): Promise<readonly string[]> {
  await clearHold(tx, id)
  const causes: string[] = []
  const observe: Observe = (_status, cause) => void causes.push(cause)
  for (const statement of settling(kit, observe, { ids: [id], arrived: false })) await execute(tx, statement)
  return causes
}

async function reject(kit: Kit, tx: Tx, id: string, approval: ApprovalRow): Promise<readonly string[]> {
  return await cancelRuns(kit, tx, { ids: [id], reason: whyRejected(approval), at: approval.decided_at })
}

function whyRejected({ subject_name, comment }: ApprovalRow): string {
  return comment === null ? `rejected by ${subject_name}` : `rejected by ${subject_name}: ${comment}`
}

async function tellDecided(
  kit: Kit,
  needs: ApprovalNeeds,
  db: Queryable,
  origin: RequestOrigin,
  run: DetailRow,
  approval: ApprovalRow,
): Promise<void> {
  const { kind, version, payload } = approvalFact(run, approval)
  await kit.facts.tell(db, kind, version, payload)
  await needs.audit.record(db, {
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
