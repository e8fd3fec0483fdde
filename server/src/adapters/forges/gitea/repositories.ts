import { type CallBase, callForge, callPages, encodeSegments, type ForgeReply, undocumented } from '../api-client.ts'
import { readBranches } from '../branches.ts'
import { findCollaboratorPermission } from '../collaborator-permission.ts'
import { pullRequestPlace, readDescription } from '../github/pull-request.ts'
import { describePullRequest } from '../github/repositories.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { readPulls } from '../open-pulls.ts'
import { count, moment } from '../payload-fields.ts'
import type {
  ForgeAnswer,
  ForgeBranch,
  ForgeConnection,
  ForgeOpenPull,
  ForgeRepositories,
  PageMemory,
} from '../port.ts'
import { callOf } from './api.ts'
import { readEnds } from './pull-request.ts'

/** A server cuts it to its own MAX_RESPONSE_ITEMS, 50 by default. */
const PAGE = 100
const CUT_PAGE = 50

export const repositories: ForgeRepositories = {
  listBranches(connection, repository, memory) {
    return listBranches(connection, repository, { ...callOf(connection), memory })
  },

  listOpenPulls(connection, repository) {
    const list = `/repos/${encodeSegments(repository)}/pulls?state=open&sort=recentupdate&limit=${PAGE}`
    const path = (page: number) => `${list}&page=${page}`
    return callPages(
      connection,
      { ...callOf(connection), path: path(1) },
      (body) => readPulls(body, describeOpen),
      (reply, page) => (hasNext(reply) ? path(page + 1) : undefined),
    )
  },

  async findPullRequest(connection, repository, number) {
    const path = `/repos/${encodeSegments(repository)}/pulls/${number}`
    const answer = await callForge(connection, { ...callOf(connection), path })
    if (answer.outcome !== 'found') return answer
    const { body } = answer.value
    const value = isObject(body) ? describePullRequest(body, readEnds(body, number)) : undefined
    return value === undefined ? undocumented() : { outcome: 'found', value }
  },

  findPermission(connection, repository, person) {
    return findCollaboratorPermission(connection, callOf(connection), repository, person)
  },
}

function describeOpen(pullRequest: JsonObject): ForgeOpenPull | undefined {
  const number = count(pullRequest, 'number')
  if (number === null) return undefined
  const found = { ...readDescription(pullRequest, number), ...readEnds(pullRequest, number), merged: false }
  return { pullRequest: found, ref: pullRequestPlace(found).ref, updatedAt: moment(pullRequest, 'updated_at') }
}

interface BranchCall extends CallBase {
  readonly memory?: PageMemory<ForgeBranch> | undefined
}

/** All branches. */
export function listBranches(
  connection: ForgeConnection,
  repository: string,
  { memory, ...call }: BranchCall,
): Promise<ForgeAnswer<readonly ForgeBranch[]>> {
  const path = (page: number) => `/repos/${encodeSegments(repository)}/branches?limit=${PAGE}&page=${page}`
  return callPages(
    connection,
    { ...call, path: path(1), remembered: { memory, size: CUT_PAGE } },
    (body) => readBranches(body, 'id'),
    (reply, page) => (hasNext(reply) ? path(page + 1) : undefined),
  )
}

/** The link itself is made of ROOT_URL, which is often not the address that this server is reached at. */
export function hasNext({ headers }: ForgeReply): boolean {
  return /;\s*rel="?next"?/.test(headers.get('link') ?? '')
}
