import { type Event, findOtherName, isAboutPullRequest } from '@signalbox/contracts/event'
import { findAddressFault } from '@signalbox/contracts/repository'

export interface PostedFault {
  readonly field: string
  readonly message: string
}

/**
 * The posted event, its time in UTC as of all others; else what is wrong with it though each field has its form.
 * `localRepositories`: the folders from which the operator lets repositories be cloned.
 */
export function readPostedEvent(
  event: Event,
  localRepositories: readonly string[],
): { readonly event: Event } | { readonly fault: PostedFault } {
  const occurredAt = event.occurred_at === null ? null : inUtc(event.occurred_at)
  if (occurredAt === undefined) {
    return { fault: { field: 'occurred_at', message: 'must lie in the years 1970 to 9999 of UTC' } }
  }
  const fault = findFault(event, localRepositories)
  return fault ? { fault } : { event: { ...event, occurred_at: occurredAt } }
}

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** The years in which the times of providers are taken, too: all that stores and reads them can hold these. */
function inUtc(time: string): string | undefined {
  const milliseconds = Date.parse(time)
  return milliseconds >= 0 && milliseconds <= LAST_MOMENT ? new Date(milliseconds).toISOString() : undefined
}

function findFault(event: Event, localRepositories: readonly string[]): PostedFault | undefined {
  const { kind, repository, pull_request: pullRequest } = event
  if (repository.full_name.split('/').some((part) => part === '.' || part === '..')) {
    return { field: 'repository.full_name', message: 'must be owner/name, without "." and ".."' }
  }
  const address = findAddressFault(repository.clone_url, localRepositories)
  if (address !== undefined) return { field: 'repository.clone_url', message: address }
  if (pullRequest === null && isAboutPullRequest(kind)) {
    const message = `is required for ${kind}: without it nobody can tell whether it comes from a fork`
    return { field: 'pull_request', message }
  }
  const other = findOtherName(event)
  return other && { field: other, message: 'names something else than ref; leave it out' }
}
