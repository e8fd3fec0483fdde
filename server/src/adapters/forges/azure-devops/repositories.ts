import { callForge, callPages, type ForgeReply, undocumented } from '../api-client.ts'
import { readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { readPullsIn } from '../open-pulls.ts'
import { children } from '../payload-fields.ts'
import type { ForgeBranch, ForgeOpenPull, ForgePullRequest, ForgeRepositories } from '../port.ts'
import { callOf } from './api.ts'
import { describePullRequest, pullRequestPlace, readEnds } from './pull-request.ts'
import { readBranch } from './repository.ts'

const PAGE = 1_000
const PULLS_PAGE = 100
const VERSION = 'api-version=7.1'

export const repositories: ForgeRepositories = {
  async listBranches(connection, repository) {
    const first = callOf(connection, repository, `/refs?filter=heads/&$top=${PAGE}&${VERSION}`)
    if (first.outcome !== 'found') return first
    return callPages(connection, first.value, readBranches, (reply) => {
      const token = reply.headers.get('x-ms-continuationtoken') ?? ''
      return token === '' ? undefined : `${first.value.path}&continuationToken=${encodeURIComponent(token)}`
    })
  },

  /** A page that is not full is the last: nothing else in the answer says so. */
  async listOpenPulls(connection, repository) {
    const pageFrom = (skipped: number) => {
      const query = `searchCriteria.status=active&$top=${PULLS_PAGE}&$skip=${skipped}&${VERSION}`
      return callOf(connection, repository, `/pullrequests?${query}`)
    }
    const first = pageFrom(0)
    if (first.outcome !== 'found') return first
    const readPage = (body: unknown) => readPullsIn(body, 'value', (found) => describeOpen(found, repository))
    return callPages(connection, first.value, readPage, ({ body }, page) => {
      const isFull = isObject(body) && children(body, 'value').length >= PULLS_PAGE
      const next = isFull ? pageFrom(page * PULLS_PAGE) : undefined
      return next?.outcome === 'found' ? next.value.path : undefined
    })
  },

  async findPullRequest(connection, repository, number) {
    const call = callOf(connection, repository, `/pullrequests/${number}?${VERSION}`)
    if (call.outcome !== 'found') return call
    const answer = await callForge(connection, call.value)
    if (answer.outcome !== 'found') return answer
    const value = describe(answer.value, repository)
    return value === undefined ? undocumented() : { outcome: 'found', value }
  },

  // Access control lists name groups by descriptors, which only further calls with other rights resolve.
  findPermission: null,
}

function readBranches(body: unknown): readonly ForgeBranch[] | undefined {
  if (!isObject(body) || !Array.isArray(body['value'])) return undefined
  const branches: ForgeBranch[] = []
  for (const ref of children(body, 'value')) {
    const name = readBranch(ref['name'])
    const commitSha = readSha(ref['objectId'])
    if (name !== null && commitSha !== undefined) branches.push({ name, commitSha })
  }
  return branches
}

/** Undefined without a whole commit name: then it is not a pull request as the API documents it. */
function describe({ body }: ForgeReply, repository: string): ForgePullRequest | undefined {
  const pullRequest: JsonObject = isObject(body) ? body : {}
  const { head, base, from_fork: fromFork } = readEnds(pullRequest, repository)
  if (head.sha === null) return undefined
  return { headSha: head.sha, headRef: head.ref, baseRef: base.ref, fromFork, open: pullRequest['status'] === 'active' }
}

/** It names no time of its last change. */
function describeOpen(pullRequest: JsonObject, repository: string): ForgeOpenPull | undefined {
  const found = describePullRequest(pullRequest, repository)
  return found && { pullRequest: found, ref: pullRequestPlace(found).ref, updatedAt: null }
}
