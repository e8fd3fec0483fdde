import { callForge, callPages, undocumented } from '../api-client.ts'
import { nothing, withMarker } from '../issue-comments.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, children, count, id, name, text } from '../payload-fields.ts'
import type { ForgeConnection } from '../port.ts'
import type { CommentPlace, ForgeComments, FoundComment } from '../telling-port.ts'
import { callOf } from './api.ts'

/** Azure DevOps refuses longer ones. */
const MAX_BODY = 150_000
const VERSION = 'api-version=7.1'
/** A thread that is open would keep a pull request from being completed where comments have to be resolved. */
const CLOSED = 4
const TEXT = 1

/** Threads of pull requests. A comment is named `<thread>/<comment>`, as its events do. Likes are no reactions of ours. */
export const comments: ForgeComments = {
  maxLength: MAX_BODY,

  async create(connection, place, content) {
    const call = threadsCall(connection, place, '')
    if (call.outcome !== 'found') return call
    const body = { comments: [{ parentCommentId: 0, content, commentType: TEXT }], status: CLOSED }
    const answer = await callForge(connection, { ...call.value, method: 'POST', body })
    if (answer.outcome !== 'found') return answer
    const [first] = isObject(answer.value.body) ? readThread(answer.value.body) : []
    return first ? { outcome: 'found', value: first.commentId } : undocumented()
  },

  async update(connection, place, commentId, content) {
    const call = threadsCall(connection, place, commentPath(commentId))
    if (call.outcome !== 'found') return call
    return nothing(await callForge(connection, { ...call.value, method: 'PATCH', body: { content } }))
  },

  async findByMarker(connection, place, marker) {
    const call = threadsCall(connection, place, '')
    if (call.outcome !== 'found') return call
    return withMarker(await callPages(connection, call.value, readThreads, () => undefined), marker)
  },

  async find(connection, place, commentId) {
    const call = threadsCall(connection, place, commentPath(commentId))
    if (call.outcome !== 'found') return call
    const answer = await callForge(connection, call.value)
    if (answer.outcome !== 'found') return answer
    const { body } = answer.value
    if (!isObject(body)) return undocumented()
    const comment = readComment(commentId.split('/')[0] ?? '', body)
    return comment ? { outcome: 'found', value: comment } : { outcome: 'not_found' }
  },

  react: null,
}

function threadsCall(connection: ForgeConnection, { repository, number }: CommentPlace, path: string) {
  return callOf(connection, repository, `/pullRequests/${number}/threads${path}?${VERSION}`)
}

function commentPath(commentId: string): string {
  const [thread = '', comment = ''] = commentId.split('/').map(encodeURIComponent)
  return `/${thread}/comments/${comment}`
}

function readThreads(body: unknown): readonly FoundComment[] | undefined {
  if (!isObject(body) || !Array.isArray(body['value'])) return undefined
  return children(body, 'value').flatMap(readThread)
}

function readThread(thread: JsonObject): readonly FoundComment[] {
  const threadId = id(thread, 'id')
  if (threadId === null || thread['isDeleted'] === true) return []
  return children(thread, 'comments').flatMap((comment) => readComment(threadId, comment) ?? [])
}

function readComment(threadId: string, comment: JsonObject): FoundComment | undefined {
  const number = count(comment, 'id')
  if (number === null || comment['isDeleted'] === true) return undefined
  const body = text(comment, 'content', MAX_BODY * 4) ?? ''
  return { commentId: `${threadId}/${number}`, authorId: name(child(comment, 'author'), 'id'), body }
}
