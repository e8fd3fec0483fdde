import { completeEvent, EventRepository } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import type { Caller } from '#platform/http'
import type { CheckoutFinder, RepositoryWish } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import { withRepository } from './read-repository.ts'

/** A person waits for the answer: of all sources together. */
const LOOK_UP_MS = 20_000

/**
 * The commit that a branch or tag points at now. A source reads it that the caller may see and that speaks for the
 * run's team. Sources that the caller may not see, and sources of other teams, count as absent: their credentials read
 * more than the caller may.
 */
export async function findCheckout(
  { git, above }: Means,
  caller: Caller,
  wish: RepositoryWish,
): ReturnType<CheckoutFinder> {
  const { repository, ref, teamPath } = wish
  if (!isName(repository)) return { field: 'repository', problem: 'repository must be owner/name, such as acme/shop.' }
  const event = completeEvent({ kind: 'push', provider: 'generic', repository: { full_name: repository }, ref })
  const connections = await above.connectionsOf(caller, event)
  const signal = AbortSignal.timeout(LOOK_UP_MS)
  let failure: string | undefined
  for (const { context, access } of connections) {
    if (access === undefined || context.feeds?.(teamPath) !== true) continue
    const { address, checkoutCredentialRef } = access
    const found = await withRepository(git, { ...address, signal }, (open) => open.findCommit(ref))
    if (found.outcome === 'found') {
      return { cloneUrl: address.cloneUrl, commitSha: found.commitSha, checkoutCredentialRef }
    }
    failure ??= found.reason
  }
  if (failure !== undefined) return { field: 'ref', problem: `The commit cannot be found. ${failure}` }
  const problem =
    `No enabled webhook source that you may see admits ${repository}, reaches it and speaks for ${teamPath}. ` +
    'Connect one, or give clone_url and commit_sha.'
  return { field: 'repository', problem }
}

/** A name with ".." in it would lead elsewhere than where the source admits. */
function isName(repository: string): boolean {
  const parts = repository.split('/')
  return (
    Value.Check(EventRepository.properties.full_name, repository) &&
    parts.every((part) => part !== '.' && part !== '..')
  )
}
