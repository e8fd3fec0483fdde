import { callForge, callPages, type ForgeCall, undocumented } from '../api-client.ts'
import { nothing, readId, withMarker } from '../issue-comments.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, id, text } from '../payload-fields.ts'
import type { ForgeAnswer, ForgeConnection } from '../port.ts'
import type { CommentPlace, ForgeComments, FoundComment } from '../telling-port.ts'
import { callOf } from './api.ts'
import { nextStart } from './repositories.ts'

/** Bitbucket's limit. */
const MAX_BODY = 32_768
const PAGE = 100

/** Comments of pull requests of Bitbucket Data Center. Reactions are no part of its documented API. */
export const comments: ForgeComments = {
  maxLength: MAX_BODY,

  async create(connection, { repository, number }, body) {
    const call = callOf(connection, repository, `/pull-requests/${number}/comments`)
    return readId(await callForge(connection, { ...call, method: 'POST', body: { text: body } }))
  },

  /** A comment has a version, which an edit has to name: another edit in between is refused with 409. */
  async update(connection, place, commentId, body) {
    const found = await callForge(connection, callOfComment(connection, place, commentId))
    if (found.outcome !== 'found') return found
    const version = isObject(found.value.body) ? found.value.body['version'] : undefined
    if (typeof version !== 'number') return undocumented()
    const call = {
      ...callOfComment(connection, place, commentId),
      method: 'PUT',
      body: { text: body, version },
    } as const
    return nothing(await callForge(connection, call))
  },

  /** Comments of a pull request are listed only among its activities. */
  async findByMarker(connection, { repository, number }, marker) {
    const pageFrom = (start: number): ForgeCall =>
      callOf(connection, repository, `/pull-requests/${number}/activities?limit=${PAGE}&start=${start}`)
    const answer = await callPages(connection, pageFrom(0), readActivities, (reply) => {
      const start = nextStart(reply)
      return start === undefined ? undefined : pageFrom(start).path
    })
    return withMarker(answer, marker)
  },

  async find(connection, place, commentId): Promise<ForgeAnswer<FoundComment>> {
    const answer = await callForge(connection, callOfComment(connection, place, commentId))
    if (answer.outcome !== 'found') return answer
    const comment = isObject(answer.value.body) ? readComment(answer.value.body) : undefined
    return comment ? { outcome: 'found', value: comment } : undocumented()
  },

  react: null,
}

function callOfComment(connection: ForgeConnection, { repository, number }: CommentPlace, commentId: string) {
  return callOf(connection, repository, `/pull-requests/${number}/comments/${encodeURIComponent(commentId)}`)
}

function readActivities(body: unknown): readonly FoundComment[] | undefined {
  if (!isObject(body) || !Array.isArray(body['values'])) return undefined
  return children(body, 'values').flatMap((activity) =>
    activity['action'] === 'COMMENTED' ? (readComment(child(activity, 'comment')) ?? []) : [],
  )
}

function readComment(comment: JsonObject): FoundComment | undefined {
  const commentId = id(comment, 'id')
  if (commentId === null) return undefined
  const body = text(comment, 'text', MAX_BODY * 4) ?? ''
  return { commentId, authorId: id(child(comment, 'author'), 'id'), body }
}
