import { type EventRepository, REPOSITORY_ACTIONS } from '@signalbox/contracts/event'
import { isFullName, readBareRef } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { cloneUrl, flag, id, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent } from '../reading.ts'

/**
 * The repository of a payload, or null where there is none or its full name is not "owner/name". Owner and name are taken
 * from the full name, which is what allowlists compare, never from the other fields that could disagree with it.
 */
export function readRepository(payload: JsonObject): EventRepository | null {
  const repository = payload['repository']
  if (!isObject(repository)) return null
  const fullName = repository['full_name']
  if (typeof fullName !== 'string' || !isFullName(fullName)) return null
  const [owner, repositoryName, ...rest] = fullName.split('/')
  if (owner === undefined || repositoryName === undefined || rest.length > 0) return null
  return {
    id: id(repository, 'id'),
    owner,
    name: repositoryName,
    full_name: fullName,
    clone_url: cloneUrl(repository, 'clone_url'),
    web_url: webUrl(repository, 'html_url'),
    default_branch: readBareRef(repository['default_branch'], 'heads'),
    private: flag(repository, 'private'),
  }
}

const ACTIONS: ReadonlySet<string> = new Set(REPOSITORY_ACTIONS)

/** `repository`: created, renamed, transferred and the like, told with the names after the change. */
export function readRepositoryEvent(delivered: DeliveredFromRepository): Reading {
  if (delivered.action === null || !ACTIONS.has(delivered.action)) {
    return nothingRunnable(delivered, delivered.repository, 'No trigger can use this action of the repository event.')
  }
  return oneEvent(delivered, { kind: 'repository', action: delivered.action })
}
