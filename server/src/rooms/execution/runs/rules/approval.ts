/** The only approval there is: that of a run whose pull request comes from a fork. */
export const FORK = 'fork'

export type Decision = 'approve' | 'reject'

export interface AskedApproval {
  readonly decision: Decision
  /** The commit that the approver looked at, where they say. */
  readonly commitSha: string | undefined
}

export interface ApprovalState {
  readonly status: string
  readonly held: boolean
  readonly commitSha: string | null
  readonly earlier: string | undefined
  /** The newest commit of the pull request, where it is known. */
  readonly head: string | undefined
}

export type ApprovalVerdict =
  | { readonly kind: 'decide' }
  /** The decision was made before: nothing changes. */
  | { readonly kind: 'repeated' }
  /** The run never waited for this approval. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'decided' | 'finished' | 'head_moved'; readonly detail: string }

/** Whether a run may be approved or rejected now. An approval is of one commit: what came later needs its own. */
export function judgeApproval(asked: AskedApproval, run: ApprovalState): ApprovalVerdict {
  const { decision, commitSha } = asked
  if (run.earlier === decision) return { kind: 'repeated' }
  if (run.earlier !== undefined) {
    const done = run.earlier === 'approve' ? 'approved' : 'rejected'
    return { kind: 'decided', detail: `The run was ${done} already.` }
  }
  if (!run.held) return { kind: 'unknown' }
  if (run.status !== 'queued') return { kind: 'finished', detail: `The run has finished already: ${run.status}.` }
  if (commitSha !== undefined && commitSha !== run.commitSha) {
    return { kind: 'head_moved', detail: `The run is of ${run.commitSha ?? 'no known commit'}, not of ${commitSha}.` }
  }
  if (decision === 'approve' && run.head !== undefined && run.head !== run.commitSha) {
    return {
      kind: 'head_moved',
      detail: `The pull request is at ${run.head} by now: look at that commit, and approve its run.`,
    }
  }
  return { kind: 'decide' }
}
