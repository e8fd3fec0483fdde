import type { Event } from '@signalbox/contracts/event'
import type { GitReader } from '#adapters/git'
import type { RepositoryAccess } from '../means.ts'
import { completeFromAsked, needsAskedHead, tellsHeadByItself } from '../rules/index.ts'
import { withRepository } from './read-repository.ts'

type Asked = { readonly event: Event } | { readonly reason: string; readonly retry: boolean }

/**
 * The event with the commit that its provider left out. The provider's API names it, or else Git, which is asked where
 * the event's ref is now.
 */
export async function askForHead(
  git: GitReader,
  access: RepositoryAccess,
  event: Event,
  signal: AbortSignal,
): Promise<Asked> {
  const pullRequest = event.pull_request
  if (!pullRequest || !needsAskedHead(event)) return { event }
  const told = await askForge(access, event, signal)
  if ('event' in told || told.retry || !tellsHeadByItself(event)) return told
  if (event.ref === null) return { ...told, reason: `${told.reason} ${whatToSet(access)}`.trim() }
  const { ref } = event
  const found = await withRepository(git, { ...access.address, signal }, (open) => open.findCommit(ref))
  if (found.outcome === 'failed') {
    return { reason: `${told.reason} ${found.reason} ${whatToSet(access)}`.trim(), retry: found.retry }
  }
  const { from_fork: fromFork } = pullRequest
  const asked = { headSha: found.commitSha, headRef: null, baseRef: null, fromFork }
  const completed = completeFromAsked(event, asked)
  const moved = needsAskedHead(completed) && pullRequest.head.sha_prefix !== undefined
  return moved
    ? { reason: `${ref} has another commit by now, ${found.commitSha}.`, retry: false }
    : { event: completed }
}

async function askForge(access: RepositoryAccess, event: Event, signal: AbortSignal): Promise<Asked> {
  const { number, head } = event.pull_request ?? {}
  if (number === undefined || !access.findPullRequest) {
    return { reason: 'The provider has no API that tells the commit of a pull request.', retry: false }
  }
  const answer = await access.findPullRequest(number, head?.sha_prefix, signal)
  switch (answer.outcome) {
    case 'found':
      return { event: completeFromAsked(event, answer.value) }
    case 'not_found':
      return { reason: 'The provider does not show the pull request to the credential of the source.', retry: false }
    case 'failed':
      return { reason: answer.reason, retry: answer.retry }
  }
}

function whatToSet({ address }: RepositoryAccess): string {
  return address.credential === undefined
    ? 'Set checkout_credential_ref of the source to a credential that may read the repository.'
    : ''
}
