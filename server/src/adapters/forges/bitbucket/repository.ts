import type { EventRepository } from '@signalbox/contracts/event'
import { isFullName } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, cloneUrl, flag, moment, name, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent } from '../reading.ts'

/**
 * The repository of a payload, "workspace/slug"; null where there is none. Bitbucket never sends the default branch.
 */
export function readRepository(payload: JsonObject): EventRepository | null {
  const repository = child(payload, 'repository')
  const fullName = readFullName(repository)
  const [owner, slug, ...rest] = fullName?.split('/') ?? []
  if (fullName === null || owner === undefined || slug === undefined || rest.length > 0) return null
  const html = child(child(repository, 'links'), 'html')
  const page = cloneUrl(html, 'href')
  return {
    id: name(repository, 'uuid'),
    owner,
    name: slug,
    full_name: fullName,
    clone_url: page === null ? null : cloneUrl({ url: `${page}.git` }, 'url'),
    web_url: webUrl(html, 'href'),
    default_branch: null,
    private: flag(repository, 'is_private'),
  }
}

export function readFullName(repository: JsonObject): string | null {
  const fullName = repository['full_name']
  return typeof fullName === 'string' && isFullName(fullName) ? fullName : null
}

/** `repo:updated`: told with the names after the change. `changes` holds the changed fields, as old and new values. */
export function readRepositoryUpdated(delivered: DeliveredFromRepository): Reading {
  const changes = child(delivered.payload, 'changes')
  const renamed = isObject(changes['full_name']) || isObject(changes['name'])
  return oneEvent(delivered, {
    kind: 'repository',
    action: renamed ? 'renamed' : 'edited',
    occurred_at: moment(child(changes, 'updated_on'), 'new'),
  })
}

/** `repo:transfer`: the repository has moved to another workspace, and is told with its new name. */
export function readRepositoryTransfer(delivered: DeliveredFromRepository): Reading {
  return oneEvent(delivered, { kind: 'repository', action: 'transferred' })
}
