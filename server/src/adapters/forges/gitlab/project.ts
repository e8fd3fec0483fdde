import type { EventRepository } from '@signalbox/contracts/event'
import { isFullName, readBareRef } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, cloneUrl, id, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, oneEvent } from '../reading.ts'

/** 0 is private and 10 internal, which every user of the installation but nobody else may see. */
const PUBLIC_LEVEL = 20

/**
 * The project of a payload, or null where there is none or its path is not "group/name". Groups nest: the owner is
 * everything before the last slash.
 */
export function readProject(payload: JsonObject): EventRepository | null {
  const project = payload['project']
  if (!isObject(project)) return readOldProject(payload)
  const level = project['visibility_level']
  return repositoryOf(project['path_with_namespace'], {
    id: id(project, 'id') ?? id(payload, 'project_id'),
    clone_url: cloneUrl(project, 'git_http_url') ?? cloneUrl(project, 'http_url'),
    web_url: webUrl(project, 'web_url'),
    default_branch: readBareRef(project['default_branch'], 'heads'),
    private: typeof level === 'number' ? level < PUBLIC_LEVEL : null,
  })
}

/**
 * GitLab before 8.0 sends no project, but a repository with its addresses, or for a merge request the target with them. The
 * path is that of the SSH address, which begins there whatever address GitLab has.
 */
function readOldProject(payload: JsonObject): EventRepository | null {
  const attributes = child(payload, 'object_attributes')
  const repository = isObject(payload['repository']) ? child(payload, 'repository') : child(attributes, 'target')
  const ssh = repository['git_ssh_url'] ?? repository['ssh_url'] ?? repository['url']
  const path = typeof ssh === 'string' ? /^(?:ssh:\/\/[^/]+\/|[^/:\s]+:)(.+)\.git$/.exec(ssh)?.[1] : undefined
  const page = webUrl(repository, 'homepage') ?? webUrl(repository, 'web_url')
  const cloned = cloneUrl(repository, 'git_http_url') ?? cloneUrl(repository, 'http_url')
  const level = repository['visibility_level']
  return repositoryOf(path, {
    id: id(payload, 'project_id') ?? id(attributes, 'target_project_id'),
    clone_url: cloned ?? (page === null ? null : `${page}.git`),
    web_url: page,
    default_branch: null,
    private: typeof level === 'number' ? level < PUBLIC_LEVEL : null,
  })
}

/** The project of a notice about projects, which holds its fields at the top. */
export function readNoticedProject(payload: JsonObject): EventRepository | null {
  return repositoryOf(payload['path_with_namespace'], {
    id: id(payload, 'project_id'),
    clone_url: null,
    web_url: null,
    default_branch: null,
    private: readVisibility(payload['project_visibility']),
  })
}

/** Older releases write `visibilitylevel|private`. */
function readVisibility(value: unknown): boolean | null {
  switch (typeof value === 'string' ? value.replace('visibilitylevel|', '') : value) {
    case 'private':
    case 'internal':
      return true
    case 'public':
      return false
    default:
      return null
  }
}

function repositoryOf(
  fullName: unknown,
  further: Omit<EventRepository, 'owner' | 'name' | 'full_name'>,
): EventRepository | null {
  if (typeof fullName !== 'string' || !isFullName(fullName)) return null
  const cut = fullName.lastIndexOf('/')
  return { ...further, owner: fullName.slice(0, cut), name: fullName.slice(cut + 1), full_name: fullName }
}

/** The kinds of notice about a project, by `event_name` of system hooks and of group webhooks. */
export const PROJECT_NOTICES: ReadonlyMap<string, string> = new Map([
  ['project_create', 'created'],
  ['project_destroy', 'deleted'],
  ['project_rename', 'renamed'],
  ['project_transfer', 'transferred'],
  ['project_update', 'edited'],
])

/** A notice about a project, told with the names after the change. The notice does not name its sender. */
export function readProjectNotice(delivered: DeliveredFromRepository, action: string): Reading {
  return oneEvent(delivered, { kind: 'repository', action })
}
