import type { Event } from '@signalbox/contracts/event'
import type { CommitAt, PathsBase } from '#adapters/git'
import { isFromFork } from './start.ts'

export const MANIFEST_PATH = '.signalbox/triggers.yaml'

/**
 * The commit whose manifest counts for an event; undefined where it is about no commit. A pull request from a fork uses
 * the manifest of the base branch, because an untrusted author must not choose the pipelines.
 */
export function manifestAt(event: Event): CommitAt | undefined {
  const { pull_request: pullRequest, after, ref } = event
  if (event.kind === 'branch_deleted' || event.kind === 'tag_deleted') return undefined
  if (isFromFork(event)) {
    if (pullRequest === null) return undefined
    const base = pullRequest.base.ref === null ? null : `refs/heads/${pullRequest.base.ref}`
    if (pullRequest.base.sha !== null) return { commitSha: pullRequest.base.sha, ref: base }
    return base === null ? undefined : { commitSha: null, ref: base }
  }
  if (after !== null) return { commitSha: after, ref }
  return ref === null ? undefined : { commitSha: null, ref }
}

/**
 * The commit since which files count as changed: for a push the commit before it, for a pull request the merge base
 * with the base branch. A new branch uses the merge base with the default branch. Undefined: unknown, and then every
 * `paths` fits.
 */
export function pathsBaseOf(event: Event): { readonly at: CommitAt; readonly base: PathsBase } | undefined {
  const { pull_request: pullRequest, after, before, ref, branch } = event
  if (after === null) return undefined
  const at = { commitSha: after, ref }
  if (pullRequest) {
    const { sha, ref: baseRef } = pullRequest.base
    const base = baseRef === null ? null : `refs/heads/${baseRef}`
    if (sha !== null) return { at, base: { kind: 'merge_base', with: { commitSha: sha, ref: base } } }
    return base === null ? undefined : { at, base: { kind: 'merge_base', with: { commitSha: null, ref: base } } }
  }
  if (event.kind !== 'push' && event.kind !== 'tag') return undefined
  if (before !== null) return { at, base: { kind: 'before', commitSha: before } }
  const main = event.repository.default_branch
  if (branch === null || main === null || main === branch) return undefined
  return { at, base: { kind: 'merge_base', with: { commitSha: null, ref: `refs/heads/${main}` } } }
}
