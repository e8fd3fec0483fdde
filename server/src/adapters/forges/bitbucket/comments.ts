import { callForge, callPages, pathBelow, undocumented } from '../api-client.ts'
import { nothing, readId, withMarker } from '../issue-comments.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, id, name, text } from '../payload-fields.ts'
import type { ForgeComments, FoundComment } from '../telling-port.ts'
import { apiUrl, callOf } from './api.ts'

/** Bitbucket's limit. */
const MAX_BODY = 32_768
const PAGE = 100

/** Comments of pull requests of Bitbucket Cloud, whose API has no reactions. */
export const comments: ForgeComments = {
  maxLength: MAX_BODY,

  async create(connection, { repository, number }, raw) {
    const call = callOf(connection, repository, commentsPath(number))
    return readId(await callForge(connection, { ...call, method: 'POST', body: { content: { raw } } }))
  },

  async update(connection, { repository, number }, commentId, raw) {
    const call = callOf(connection, repository, `${commentsPath(number)}/${encodeURIComponent(commentId)}`)
    return nothing(await callForge(connection, { ...call, method: 'PUT', body: { content: { raw } } }))
  },

  async findByMarker(connection, { repository, number }, marker) {
    const first = callOf(connection, repository, `${commentsPath(number)}?pagelen=${PAGE}&sort=created_on`)
    const answer = await callPages(connection, first, readComments, ({ body }) => {
      const next = isObject(body) ? name(body, 'next') : null
      return next === null ? undefined : pathBelow(next, apiUrl(connection))
    })
    return withMarker(answer, marker)
  },

  async find(connection, { repository, number }, commentId) {
    const call = callOf(connection, repository, `${commentsPath(number)}/${encodeURIComponent(commentId)}`)
    const answer = await callForge(connection, call)
    if (answer.outcome !== 'found') return answer
    const { body } = answer.value
    if (!isObject(body)) return undocumented()
    const comment = readComment(body)
    return comment ? { outcome: 'found', value: comment } : { outcome: 'not_found' }
  },

  react: null,
}

function commentsPath(number: number): string {
  return `/pullrequests/${number}/comments`
}

function readComments(body: unknown): readonly FoundComment[] | undefined {
  if (!isObject(body) || !Array.isArray(body['values'])) return undefined
  return children(body, 'values').flatMap((comment) => readComment(comment) ?? [])
}

/** A deleted comment is answered without its words. */
function readComment(comment: JsonObject): FoundComment | undefined {
  const commentId = id(comment, 'id')
  if (commentId === null || comment['deleted'] === true) return undefined
  const body = text(child(comment, 'content'), 'raw', MAX_BODY * 4) ?? ''
  return { commentId, authorId: name(child(comment, 'user'), 'uuid'), body }
}
