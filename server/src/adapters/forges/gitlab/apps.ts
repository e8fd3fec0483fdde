import { callForge, type ForgeReply, undocumented } from '../api-client.ts'
import type { ForgeApps, FoundRepository } from '../app-port.ts'
import { isFullName, readBareRef } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { flag, id, name } from '../payload-fields.ts'
import type { ForgeConnection } from '../port.ts'
import { appsByToken, type OwnerKind, type TokenOwner } from '../token-connection.ts'
import { callOf } from './api.ts'

const PAGE = 100
const SEGMENT = '(?!\\.{1,2}(?:/|$))[\\w.-]+'
const NAME = new RegExp(`^(?=.{1,400}$)${SEGMENT}(?:/${SEGMENT})*$`)
/** Reporters read code; a group in which the account has less gives no repository to work with. */
const REPORTER = 20
const ORDERED = `order_by=id&sort=asc&per_page=${PAGE}`

const GROUP: OwnerKind = {
  path: (group) => `/groups/${encodeURIComponent(group)}?with_projects=false`,
  readOwner(body) {
    const owner = isObject(body) ? groupOf(body) : undefined
    return owner === undefined ? undocumented() : { outcome: 'found', value: owner }
  },
  repositoriesPath: (group, page) =>
    `/groups/${encodeURIComponent(group)}/projects?include_subgroups=true&with_shared=false&${ORDERED}&page=${page}`,
}

const PERSON: OwnerKind = {
  path: (login) => `/users?username=${encodeURIComponent(login)}`,
  readOwner(body) {
    if (!Array.isArray(body)) return undocumented()
    const first = body.find(isObject)
    if (first === undefined) return { outcome: 'not_found' }
    const owner = personOf(first)
    return owner === undefined ? undocumented() : { outcome: 'found', value: owner }
  },
  repositoriesPath: (login, page) => `/users/${encodeURIComponent(login)}/projects?${ORDERED}&page=${page}`,
}

/** A token of a group, a project or a person, with the scope api. */
export const apps: ForgeApps = appsByToken({
  title: 'GitLab',
  lacks: [
    'A token of GitLab cannot be narrowed: every source that may use it uses the whole of it.',
    'GitLab has no webhook of a connection: each project or group needs one of its own.',
    'GitLab shows runs as commit statuses, without annotations and a rerun button.',
    'GitLab keeps a log of deliveries for each webhook since 17.3, and sends again five a minute since 17.4.',
  ],
  callOf,
  name: NAME,
  kinds: [GROUP, PERSON],
  describeAccount(account) {
    const login = personOf(account)
    return login === undefined ? undefined : { appId: login.fullName, name: name(account, 'name') }
  },
  findPermissions,
  owners: {
    path: (page) => `/groups?min_access_level=${REPORTER}&${ORDERED}&page=${page}`,
    readOwner: groupOf,
  },
  // The account of a group's or project's token has no repositories of its own.
  ownsRepositories: (account) => flag(account, 'bot') !== true,
  pages: { size: PAGE, readRepository: describeProject },
  hasNext,
})

/** The scopes of an access token. GitLab tells none of an OAuth token there. */
async function findPermissions(connection: ForgeConnection): Promise<Readonly<Record<string, string>>> {
  const answer = await callForge(connection, { ...callOf(connection), path: '/personal_access_tokens/self' })
  const scopes = answer.outcome === 'found' && isObject(answer.value.body) ? answer.value.body['scopes'] : undefined
  if (!Array.isArray(scopes)) return {}
  const known = scopes.filter((scope) => typeof scope === 'string' && /^[a-z_]{1,60}$/.test(scope))
  return Object.fromEntries(known.map((scope) => [scope, scope.startsWith('read_') ? 'read' : 'write']))
}

function groupOf(group: JsonObject): TokenOwner | undefined {
  const fullName = name(group, 'full_path')
  return fullName !== null && NAME.test(fullName) ? { fullName } : undefined
}

function personOf(person: JsonObject): TokenOwner | undefined {
  const fullName = name(person, 'username')
  return fullName !== null && NAME.test(fullName) ? { fullName } : undefined
}

/** An internal project is shown to everybody who signs in, so it counts as private. */
function describeProject(project: JsonObject): FoundRepository | undefined {
  const [projectId, fullName] = [id(project, 'id'), name(project, 'path_with_namespace')]
  if (projectId === null || fullName === null || !isFullName(fullName)) return undefined
  return {
    id: projectId,
    fullName,
    private: project['visibility'] !== 'public',
    defaultBranch: readBareRef(project['default_branch'], 'heads'),
  }
}

/** X-Next-Page is empty on the last page. */
function hasNext({ status, headers }: ForgeReply): boolean | undefined {
  const next = headers.get('x-next-page')
  return next === null ? (status === 304 ? undefined : false) : /^\d{1,9}$/.test(next)
}
