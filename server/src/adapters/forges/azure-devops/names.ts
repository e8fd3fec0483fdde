import type { JsonObject } from '../json-object.ts'
import { child } from '../payload-fields.ts'

/** Single spaces are allowed in names of projects and repositories here, unlike those of other providers. */
const PLAIN = /^[A-Za-z0-9_.-]+(?: [A-Za-z0-9_.-]+)*$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MAX_SEGMENT = 130

/**
 * The full name of a repository: "organisation/project/repository", as in `acme/My Project/widgets`. Names stay as they
 * are written, spaces too. A name with any other character (`R&D`, `Fahrpläne`) is replaced by its id, and so is a name
 * that looks like an id. Two repositories thus never share a full name. Null where a part is missing.
 */
export function readFullName(repository: JsonObject, organisation: string | null): string | null {
  const project = readSegment(child(repository, 'project'))
  const name = readSegment(repository)
  return organisation === null || project === null || name === null ? null : `${organisation}/${project}/${name}`
}

function readSegment({ name, id }: JsonObject): string | null {
  if (typeof name === 'string' && isPlain(name) && !UUID.test(name)) return name
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : null
}

function isPlain(name: string): boolean {
  return name.length <= MAX_SEGMENT && PLAIN.test(name) && name !== '.' && name !== '..'
}

/** The organisation of a payload: no field names it, but every address holds it. Null where there is no address. */
export function readOrganisation(payload: JsonObject, repository: JsonObject): string | null {
  const containers = child(payload, 'resourceContainers')
  const { name: project } = child(repository, 'project')
  for (const address of [
    repository['remoteUrl'],
    repository['url'],
    child(containers, 'account')['baseUrl'],
    child(containers, 'collection')['baseUrl'],
  ]) {
    const found = organisationOf(address, typeof project === 'string' ? project : '')
    if (found !== null) return found
  }
  return null
}

/**
 * The organisation (on a server of one's own: the collection) in an address of Azure DevOps. On dev.azure.com the
 * organisation is the first segment, below visualstudio.com the name of the host, and elsewhere the last segment before
 * the project.
 */
export function organisationOf(address: unknown, project: string): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) return null
  const tenant = /^([a-z0-9-]+)\.visualstudio\.com$/.exec(url.hostname)?.[1]
  if (tenant !== undefined) return tenant
  const segments = decodeSegments(url.pathname)
  const found = url.hostname === 'dev.azure.com' ? segments?.at(0) : segments && collectionOf(segments, project)
  return found !== undefined && isPlain(found) ? found : null
}

/**
 * The segment before `_git` or `_apis` is the project, by its name or id. The segment is missing where project and
 * repository have one name.
 */
function collectionOf(segments: readonly string[], project: string): string | undefined {
  const end = segments.findIndex((segment) => segment === '_git' || segment === '_apis')
  const before = end === -1 ? segments : segments.slice(0, end)
  const last = before.at(-1)
  const isProject = last !== undefined && (UUID.test(last) || last.toLowerCase() === project.toLowerCase())
  return isProject ? before.at(-2) : last
}

function decodeSegments(path: string): readonly string[] | undefined {
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Where a repository of the organisation at `baseUrl` is cloned from; null for one of another organisation. */
export function gitAddress(baseUrl: string, repository: string): string | null {
  const [organisation, project, name] = repository.split('/')
  if (organisation === undefined || project === undefined || name === undefined) return null
  if (organisationOf(baseUrl, '')?.toLowerCase() !== organisation.toLowerCase()) return null
  return `${baseUrl}/${encodeURIComponent(project)}/_git/${encodeURIComponent(name)}`
}
