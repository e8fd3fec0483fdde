import type { EventRepository } from '@signalbox/contracts/event'
import { isFullName } from '../git-names.ts'
import type { JsonObject } from '../json-object.ts'
import { child, children, cloneUrl, flag, id, moment, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type Delivered, oneEvent, unreadable } from '../reading.ts'

/** The reason that every reader gives for an event without a readable repository. */
export const NO_REPOSITORY = 'The event names no repository with a project key and a slug.'

/**
 * A repository, "KEY/slug", or "~user/slug" where it is a person's own; null without both. Whether it has links depends
 * on the version and on the event: without them it does not say where it can be cloned from. Bitbucket never sends the
 * default branch.
 */
export function describeRepository(repository: JsonObject): EventRepository | null {
  const fullName = readFullName(repository)
  const [owner, slug] = fullName?.split('/') ?? []
  if (fullName === null || owner === undefined || slug === undefined) return null
  const links = child(repository, 'links')
  const [self = {}] = children(links, 'self')
  const clone = children(links, 'clone').find((link) => link['name'] === 'http' || link['name'] === 'https') ?? {}
  const isPublic = flag(repository, 'public')
  return {
    id: id(repository, 'id'),
    owner,
    name: slug,
    full_name: fullName,
    clone_url: cloneUrl(clone, 'href') ?? cloneUrl({ url: derivedCloneUrl(self, owner, slug) }, 'url'),
    web_url: webUrl(self, 'href'),
    default_branch: null,
    private: isPublic === null ? null : !isPublic,
  }
}

/** Two segments: neither a key nor a slug holds a slash. */
export function readFullName(repository: JsonObject): string | null {
  const { key } = child(repository, 'project')
  const { slug } = repository
  if (typeof key !== 'string' || typeof slug !== 'string') return null
  const fullName = `${key}/${slug}`
  return isFullName(fullName) && !key.includes('/') && !slug.includes('/') ? fullName : null
}

/** Where a version that sends the page but no clone addresses keeps its repositories, below its own address. */
function derivedCloneUrl(self: JsonObject, key: string, slug: string): string | null {
  const page = webUrl(self, 'href')
  const base =
    page === null ? undefined : /^(.*)\/(?:projects|users)\/[^/]+\/repos\/[^/]+(?:\/browse)?$/.exec(page)?.[1]
  return base === undefined ? null : scmAddress(base, `${key}/${slug}`)
}

/** Repositories are cloned from below `scm`, where keys are in lower case. */
export function scmAddress(baseUrl: string, repository: string): string {
  const [key = '', slug = ''] = repository.split('/')
  return `${baseUrl}/scm/${key.toLowerCase()}/${slug}.git`
}

/** `repo:modified`: the repository as it was and as it is. The project changes when the repository is moved. */
export function readRepositoryModified(delivered: Delivered): Reading {
  const { payload } = delivered
  const repository = describeRepository(child(payload, 'new'))
  if (repository === null) return unreadable(delivered, NO_REPOSITORY)
  const renamed = readFullName(child(payload, 'old')) !== repository.full_name
  return oneEvent(
    { ...delivered, repository },
    { kind: 'repository', action: renamed ? 'renamed' : 'edited', occurred_at: moment(payload, 'date') },
  )
}
