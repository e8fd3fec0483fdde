import { callForge, callPages, type ForgeCall, type ForgeReply, pathBelow, undocumented } from '../api-client.ts'
import { readBareRef, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { readPullsIn } from '../open-pulls.ts'
import { child, children, moment, name } from '../payload-fields.ts'
import type {
  ForgeAnswer,
  ForgeBranch,
  ForgeConnection,
  ForgeOpenPull,
  ForgePullRequest,
  ForgeRepositories,
} from '../port.ts'
import { apiUrl, callOf } from './api.ts'
import { describePullRequest, pullRequestPlace, readEnds } from './pull-request.ts'

const PAGE = 100
/** Bitbucket gives no more of these on a page. */
const PULLS_PAGE = 50

export const repositories: ForgeRepositories = {
  listBranches(connection, repository) {
    const first = callOf(connection, repository, `/refs/branches?pagelen=${PAGE}`)
    return callPages(connection, first, readBranches, (reply) => nextPath(reply, connection))
  },

  listOpenPulls(connection, repository) {
    const path = `/pullrequests?state=OPEN&sort=-updated_on&pagelen=${PULLS_PAGE}`
    const readPage = (body: unknown) => readPullsIn(body, 'values', describeOpen)
    return callPages(connection, callOf(connection, repository, path), readPage, (reply) => nextPath(reply, connection))
  },

  async findPullRequest(connection, repository, number, prefix) {
    const answer = await callForge(connection, callOf(connection, repository, `/pullrequests/${number}`))
    if (answer.outcome !== 'found') return answer
    const { body } = answer.value
    if (!isObject(body)) return undocumented()
    const path = `/pullrequests/${number}/commits?pagelen=${PAGE}`
    const head = await findHead(connection, callOf(connection, repository, path), body, prefix)
    return head.outcome === 'found' ? { outcome: 'found', value: describe(body, head.value) } : head
  },

  async findPermission(connection, repository, { id }) {
    if (id === null || !/^\{[0-9a-f-]{36}\}$/i.test(id)) return { outcome: 'not_found' }
    const [workspace = '', slug = ''] = repository.split('/').map(encodeURIComponent)
    const query = `q=${encodeURIComponent(`user.uuid="${id}"`)}`
    const path = `/workspaces/${workspace}/permissions/repositories/${slug}?${query}`
    const answer = await callForge(connection, { ...callOf(connection, repository, ''), path })
    if (answer.outcome !== 'found') return answer
    const { body } = answer.value
    if (!isObject(body) || !Array.isArray(body['values'])) return undocumented()
    // A server that does not know the query answers everybody.
    const own = children(body, 'values').find((value) => name(child(value, 'user'), 'uuid') === id)
    const role = own && name(own, 'permission')
    if (role === undefined || role === null) return { outcome: 'not_found' }
    return { outcome: 'found', value: { mayWrite: role === 'write' || role === 'admin', role } }
  },
}

function nextPath({ body }: ForgeReply, connection: ForgeConnection): string | undefined {
  const next = isObject(body) ? name(body, 'next') : null
  return next === null ? undefined : pathBelow(next, apiUrl(connection))
}

function describeOpen(pullRequest: JsonObject): ForgeOpenPull | undefined {
  const found = describePullRequest(pullRequest)
  return found && { pullRequest: found, ref: pullRequestPlace(found).ref, updatedAt: moment(pullRequest, 'updated_on') }
}

function readBranches(body: unknown): readonly ForgeBranch[] | undefined {
  if (!isObject(body) || !Array.isArray(body['values'])) return undefined
  const branches: ForgeBranch[] = []
  for (const branch of children(body, 'values')) {
    const bare = readBareRef(branch['name'], 'heads')
    const commitSha = readSha(child(branch, 'target')['hash'])
    if (bare !== null && commitSha !== undefined) branches.push({ name: bare, commitSha })
  }
  return branches
}

/**
 * The whole name of the head. The pull request itself has only the first twelve digits, so that the name is looked up
 * in its list of commits. The list holds the commits of a fork, too. A given `prefix` may be that of an earlier head.
 */
async function findHead(
  connection: ForgeConnection,
  commits: ForgeCall,
  pullRequest: JsonObject,
  prefix: string | undefined,
): Promise<ForgeAnswer<string>> {
  const named = child(child(pullRequest, 'source'), 'commit')['hash']
  if (typeof named !== 'string' || !/^[0-9a-f]{7,40}$/.test(named)) return undocumented()
  const whole = readSha(named)
  if (whole?.startsWith(prefix ?? '')) return { outcome: 'found', value: whole }
  const wanted = prefix ?? named
  const answer = await callForge(connection, commits)
  if (answer.outcome !== 'found') return answer
  const found = commitsOf(answer.value).filter((sha) => sha.startsWith(wanted))
  const [sha] = found
  if (sha !== undefined && found.length === 1) return { outcome: 'found', value: sha }
  const reason = 'The provider names the head of the pull request only in part, and its commits do not hold it.'
  if (wanted.startsWith(named) || named.startsWith(wanted)) return { outcome: 'failed', reason, retry: true }
  return { outcome: 'failed', reason: `The pull request has another head by now, ${named}.`, retry: false }
}

function commitsOf({ body }: ForgeReply): readonly string[] {
  return isObject(body)
    ? children(body, 'values')
        .map((commit) => readSha(commit['hash']))
        .filter((sha) => sha !== undefined)
    : []
}

function describe(pullRequest: JsonObject, headSha: string): ForgePullRequest {
  const { head, base, from_fork: fromFork } = readEnds(pullRequest)
  return { headSha, headRef: head.ref, baseRef: base.ref, fromFork, open: pullRequest['state'] === 'OPEN' }
}
