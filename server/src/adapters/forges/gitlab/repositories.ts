import { callForge, callPages, type ForgeReply, undocumented } from '../api-client.ts'
import { readBranches } from '../branches.ts'
import { readBareRef, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { id as readId } from '../payload-fields.ts'
import type { ForgePermission, ForgePullRequest, ForgeRepositories } from '../port.ts'
import { callOf, projectPath } from './api.ts'
import { isFromFork } from './merge-request.ts'

const PAGE = 100

export const repositories: ForgeRepositories = {
  listBranches(connection, repository, memory) {
    const path = `${projectPath(repository)}/repository/branches?per_page=${PAGE}`
    return callPages(
      connection,
      { ...callOf(connection), path, remembered: { memory, size: PAGE } },
      (body) => readBranches(body, 'id'),
      (reply) => nextPage(reply, path),
    )
  },

  async findPullRequest(connection, repository, number) {
    const path = `${projectPath(repository)}/merge_requests/${number}`
    const answer = await callForge(connection, { ...callOf(connection), path })
    if (answer.outcome !== 'found') return answer
    const value = isObject(answer.value.body) ? describeMergeRequest(answer.value.body) : undefined
    return value === undefined ? undocumented() : { outcome: 'found', value }
  },

  async findPermission(connection, repository, { id }) {
    if (id === null || !/^\d{1,20}$/.test(id)) return { outcome: 'not_found' }
    const path = `${projectPath(repository)}/members/all/${id}`
    const answer = await callForge(connection, { ...callOf(connection), path })
    if (answer.outcome !== 'found') return answer
    const value = isObject(answer.value.body) ? describeMember(answer.value.body, id) : undefined
    return value === undefined ? undocumented() : { outcome: 'found', value }
  },
}

/** From here on a member may push. */
const DEVELOPER = 30

/** Undefined where it is about somebody else, or no member as the API documents one. */
function describeMember(member: JsonObject, id: string): ForgePermission | undefined {
  const { access_level: level, state } = member
  if (typeof level !== 'number' || readId(member, 'id') !== id) return undefined
  const active = state === undefined || state === 'active'
  return { mayWrite: active && level >= DEVELOPER, role: active ? `access level ${level}` : `${String(state)}` }
}

/** By the number of the page: the addresses in GitLab's Link header hold its external name, which may be another. */
function nextPage(reply: ForgeReply, path: string): string | undefined {
  const number = reply.headers.get('x-next-page') ?? ''
  return /^\d{1,9}$/.test(number) ? `${path}&page=${number}` : undefined
}

/** Undefined without a whole commit name: then it is not a merge request as the API documents it. */
function describeMergeRequest(mergeRequest: JsonObject): ForgePullRequest | undefined {
  const headSha = readSha(mergeRequest['sha'])
  if (headSha === undefined) return undefined
  return {
    headSha,
    headRef: readBareRef(mergeRequest['source_branch'], 'heads'),
    baseRef: readBareRef(mergeRequest['target_branch'], 'heads'),
    fromFork: isFromFork(mergeRequest),
    open: mergeRequest['state'] === 'opened',
  }
}
