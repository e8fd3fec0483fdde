import { callForge, callPages, type ForgeReply, undocumented } from '../api-client.ts'
import { readBareRef, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { readPullsIn } from '../open-pulls.ts'
import { children, count, id as readId } from '../payload-fields.ts'
import type { ForgeBranch, ForgeOpenPull, ForgePullRequest, ForgeRepositories } from '../port.ts'
import { callOf } from './api.ts'
import { describePullRequest, pullRequestPlace, readEnds } from './pull-request.ts'

const PAGE = 100

export const repositories: ForgeRepositories = {
  listBranches(connection, repository) {
    const pageFrom = (start: number) => callOf(connection, repository, `/branches?limit=${PAGE}&start=${start}`)
    return callPages(connection, pageFrom(0), readBranches, (reply) => {
      const start = nextStart(reply)
      return start === undefined ? undefined : pageFrom(start).path
    })
  },

  listOpenPulls(connection, repository) {
    const list = `/pull-requests?state=OPEN&order=NEWEST&limit=${PAGE}`
    const pageFrom = (start: number) => callOf(connection, repository, `${list}&start=${start}`)
    const readPage = (body: unknown) => readPullsIn(body, 'values', describeOpen)
    return callPages(connection, pageFrom(0), readPage, (reply) => {
      const start = nextStart(reply)
      return start === undefined ? undefined : pageFrom(start).path
    })
  },

  async findPullRequest(connection, repository, number) {
    const answer = await callForge(connection, callOf(connection, repository, `/pull-requests/${number}`))
    if (answer.outcome !== 'found') return answer
    const value = isObject(answer.value.body) ? describe(answer.value.body) : undefined
    return value === undefined ? undocumented() : { outcome: 'found', value }
  },

  async findPermission(connection, repository, { id, login }) {
    if (id === null || login === null) return { outcome: 'not_found' }
    const call = callOf(connection, repository, '')
    const [projectKey = '', repositorySlug = ''] = repository.split('/')
    const query = new URLSearchParams({
      filter: login,
      limit: String(PAGE),
      'permission.1': 'REPO_WRITE',
      'permission.1.projectKey': projectKey,
      'permission.1.repositorySlug': repositorySlug,
    })
    const answer = await callForge(connection, { ...call, path: `/rest/api/latest/users?${query.toString()}` })
    if (answer.outcome !== 'found') return answer
    const { body } = answer.value
    if (!isObject(body) || !Array.isArray(body['values'])) return undocumented()
    const mayWrite = children(body, 'values').some((user) => readId(user, 'id') === id)
    return { outcome: 'found', value: { mayWrite, role: mayWrite ? 'REPO_WRITE' : 'less than REPO_WRITE' } }
  },
}

/** The last page says so; until then each names where the next one starts, which need not be a page further. */
export function nextStart({ body }: ForgeReply): number | undefined {
  if (!isObject(body) || body['isLastPage'] !== false) return undefined
  return count(body, 'nextPageStart') ?? undefined
}

function readBranches(body: unknown): readonly ForgeBranch[] | undefined {
  if (!isObject(body) || !Array.isArray(body['values'])) return undefined
  const branches: ForgeBranch[] = []
  for (const { id, latestCommit } of children(body, 'values')) {
    const full = typeof id === 'string' && id.startsWith('refs/heads/') ? id.slice('refs/heads/'.length) : null
    const name = readBareRef(full, 'heads')
    const commitSha = readSha(latestCommit)
    if (name !== null && commitSha !== undefined) branches.push({ name, commitSha })
  }
  return branches
}

/** Undefined without a whole commit name: then it is not a pull request as the API documents it. */
function describe(pullRequest: JsonObject): ForgePullRequest | undefined {
  const { head, base, from_fork: fromFork } = readEnds(pullRequest)
  if (head.sha === null) return undefined
  return { headSha: head.sha, headRef: head.ref, baseRef: base.ref, fromFork, open: pullRequest['state'] === 'OPEN' }
}

/** Its times are milliseconds since 1970. */
function describeOpen(pullRequest: JsonObject): ForgeOpenPull | undefined {
  const number = count(pullRequest, 'id')
  if (number === null) return undefined
  const found = describePullRequest(pullRequest, number)
  return { pullRequest: found, ref: pullRequestPlace(found).ref, updatedAt: readInstant(pullRequest['updatedDate']) }
}

/** The last millisecond that RFC 3339 can name. */
const MAX_INSTANT = 253_402_300_799_999

function readInstant(value: unknown): string | null {
  const isInstant = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INSTANT
  return isInstant ? new Date(value).toISOString() : null
}
