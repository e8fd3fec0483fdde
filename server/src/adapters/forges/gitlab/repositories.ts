import { callForge, callPages, type ForgeReply, undocumented } from '../api-client.ts'
import { readBranches } from '../branches.ts'
import { readBareRef, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { readPulls } from '../open-pulls.ts'
import { count, flag, moment, name, id as readId, text, webUrl } from '../payload-fields.ts'
import { readPerson } from '../person.ts'
import type { ForgeOpenPull, ForgePermission, ForgePullRequest, ForgeRepositories } from '../port.ts'
import { callOf, projectPath } from './api.ts'
import { isFromFork, mergeRequestPlace } from './merge-request.ts'

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

  listOpenPulls(connection, repository) {
    const list = `${projectPath(repository)}/merge_requests?state=opened&order_by=updated_at&sort=desc`
    const path = `${list}&per_page=${PAGE}`
    return callPages(
      connection,
      { ...callOf(connection), path },
      (body) => readPulls(body, (mergeRequest) => describeOpen(mergeRequest, repository)),
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

const MAX_LABELS = 100

/** The list names labels as bare texts, and of the source's project only its number. */
function describeOpen(mergeRequest: JsonObject, repository: string): ForgeOpenPull | undefined {
  const number = count(mergeRequest, 'iid')
  if (number === null) return undefined
  const fromFork = isFromFork(mergeRequest)
  const pullRequest = {
    number,
    title: text(mergeRequest, 'title') ?? '',
    draft: flag(mergeRequest, 'draft') ?? flag(mergeRequest, 'work_in_progress'),
    labels: readLabels(mergeRequest['labels']),
    head: {
      ref: readBareRef(mergeRequest['source_branch'], 'heads'),
      sha: readSha(mergeRequest['sha']) ?? null,
      repository: fromFork ? null : repository,
    },
    base: { ref: readBareRef(mergeRequest['target_branch'], 'heads'), sha: null, repository },
    from_fork: fromFork,
    merged: false,
    author: readPerson(mergeRequest, 'author'),
    web_url: webUrl(mergeRequest, 'web_url'),
  }
  return { pullRequest, ref: mergeRequestPlace(pullRequest).ref, updatedAt: moment(mergeRequest, 'updated_at') }
}

function readLabels(labels: unknown): string[] {
  const listed: readonly unknown[] = Array.isArray(labels) ? labels.slice(0, MAX_LABELS) : []
  return listed.map((label) => name({ label }, 'label')).filter((label) => label !== null)
}
