import { type Event, isAboutPullRequest } from '@signalbox/contracts/event'

export interface PostedFault {
  readonly field: string
  readonly message: string
}

/** What is wrong with a posted event though each of its fields has its form; undefined: nothing. */
export function findPostedFault({ kind, repository, pull_request: pullRequest }: Event): PostedFault | undefined {
  if (repository.full_name.split('/').some((part) => part === '.' || part === '..')) {
    return { field: 'repository.full_name', message: 'must be owner/name, without "." and ".."' }
  }
  if (pullRequest === null && isAboutPullRequest(kind)) {
    const message = `is required for ${kind}: without it nobody can tell whether it comes from a fork`
    return { field: 'pull_request', message }
  }
  return undefined
}
