import { callForge, callPages, encodeSegments, nextByLink, undocumented } from '../api-client.ts'
import { readBranches } from '../branches.ts'
import { findCollaboratorPermission } from '../collaborator-permission.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { readPulls } from '../open-pulls.ts'
import { count, moment } from '../payload-fields.ts'
import type { ForgeOpenPull, ForgePullRequest, ForgeRepositories } from '../port.ts'
import { apiUrl, callOf } from './api.ts'
import { pullRequestPlace, readDescription, readEnds } from './pull-request.ts'

const PAGE = 100

export const repositories: ForgeRepositories = {
  listBranches(connection, repository, memory) {
    const path = `/repos/${encodeSegments(repository)}/branches?per_page=${PAGE}`
    return callPages(
      connection,
      { ...callOf(connection), path, followsRename: true, remembered: { memory, size: PAGE } },
      (body) => readBranches(body, 'sha'),
      (reply) => nextByLink(reply, apiUrl(connection)),
    )
  },

  listOpenPulls(connection, repository) {
    const path = `/repos/${encodeSegments(repository)}/pulls?state=open&sort=updated&direction=desc&per_page=${PAGE}`
    return callPages(
      connection,
      { ...callOf(connection), path },
      (body) => readPulls(body, describeOpen),
      (reply) => nextByLink(reply, apiUrl(connection)),
    )
  },

  async findPullRequest(connection, repository, number) {
    const path = `/repos/${encodeSegments(repository)}/pulls/${number}`
    const answer = await callForge(connection, { ...callOf(connection), path })
    if (answer.outcome !== 'found') return answer
    const value = isObject(answer.value.body)
      ? describePullRequest(answer.value.body, readEnds(answer.value.body))
      : undefined
    return value === undefined ? undocumented() : { outcome: 'found', value }
  },

  findPermission(connection, repository, person) {
    return findCollaboratorPermission(connection, callOf(connection), repository, person)
  },
}

/** Undefined without a whole commit name: then it is not a pull request as the API documents it. */
export function describePullRequest(
  pullRequest: JsonObject,
  { head, base, from_fork: fromFork }: ReturnType<typeof readEnds>,
): ForgePullRequest | undefined {
  if (head.sha === null) return undefined
  return { headSha: head.sha, headRef: head.ref, baseRef: base.ref, fromFork, open: pullRequest['state'] === 'open' }
}

function describeOpen(pullRequest: JsonObject): ForgeOpenPull | undefined {
  const number = count(pullRequest, 'number')
  if (number === null) return undefined
  const found = { ...readDescription(pullRequest, number), ...readEnds(pullRequest), merged: false }
  return { pullRequest: found, ref: pullRequestPlace(found).ref, updatedAt: moment(pullRequest, 'updated_at') }
}
