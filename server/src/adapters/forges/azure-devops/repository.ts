import type { EventRepository } from '@signalbox/contracts/event'
import { readBareRef } from '../git-names.ts'
import type { JsonObject } from '../json-object.ts'
import { child, cloneUrl, id, moment, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent } from '../reading.ts'
import { readIdentity } from './identity.ts'
import { readFullName, readOrganisation } from './names.ts'

/** A repository of a payload; null where its organisation, project or name is missing. */
export function describeRepository(payload: JsonObject, repository: JsonObject): EventRepository | null {
  const fullName = readFullName(repository, readOrganisation(payload, repository))
  if (fullName === null) return null
  const cut = fullName.lastIndexOf('/')
  const clone = cloneUrl(repository, 'remoteUrl')
  return {
    id: id(repository, 'id'),
    owner: fullName.slice(0, cut),
    name: fullName.slice(cut + 1),
    full_name: fullName,
    clone_url: clone,
    // A browser and Git are given the same address.
    web_url: webUrl(repository, 'webUrl') ?? webUrl({ clone }, 'clone'),
    default_branch: readBranch(repository['defaultBranch']),
    private: isPrivate(child(repository, 'project')),
  }
}

/** The bare name of a full ref of a branch, as Azure DevOps gives all of them. */
export function readBranch(ref: unknown): string | null {
  const prefix = 'refs/heads/'
  return typeof ref === 'string' && ref.startsWith(prefix) ? readBareRef(ref.slice(prefix.length), 'heads') : null
}

function isPrivate({ visibility }: JsonObject): boolean | null {
  if (visibility === 'public') return false
  return visibility === 'private' ? true : null
}

/** `git.repo.created` and `git.repo.renamed`, told with the name after the change. */
export function readRepositoryEvent(
  action: 'created' | 'renamed',
): (delivered: DeliveredFromRepository, resource: JsonObject) => Reading {
  return (delivered, resource) =>
    oneEvent(delivered, {
      kind: 'repository',
      action,
      sender: readIdentity(resource, 'initiatedBy'),
      occurred_at: moment(resource, 'utcTimestamp') ?? moment(delivered.payload, 'createdDate'),
    })
}
