import { type Event, findOtherName, isAboutPullRequest } from '@signalbox/contracts/event'

export interface PostedFault {
  readonly field: string
  readonly message: string
}

/** What is wrong with a posted event though each of its fields has its form; undefined: nothing. */
export function findPostedFault(event: Event): PostedFault | undefined {
  const { kind, repository, pull_request: pullRequest } = event
  if (repository.full_name.split('/').some((part) => part === '.' || part === '..')) {
    return { field: 'repository.full_name', message: 'must be owner/name, without "." and ".."' }
  }
  if (pullRequest === null && isAboutPullRequest(kind)) {
    const message = `is required for ${kind}: without it nobody can tell whether it comes from a fork`
    return { field: 'pull_request', message }
  }
  const other = findOtherName(event)
  return other && { field: other, message: 'names something else than ref; leave it out' }
}
