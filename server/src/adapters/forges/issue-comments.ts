import {
  type CallBase,
  callForge,
  callPages,
  encodeSegments,
  type ForgeReply,
  nextByLink,
  undocumented,
} from './api-client.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { child, id, moment, name, text } from './payload-fields.ts'
import type { ForgeAnswer, ForgeConnection } from './port.ts'
import type { ForgeComments, FoundComment, Reaction } from './telling-port.ts'

/** A provider's words for reactions. */
const CONTENTS: Readonly<Record<Reaction, string>> = {
  seen: 'eyes',
  done: '+1',
  refused: '-1',
  confused: 'confused',
}

const PAGE = 100

/** Comments as GitHub has them, and Gitea after it: a pull request is an issue, whose comments have ids of their own. */
export function issueComments(callOf: (connection: ForgeConnection) => CallBase, maxLength: number): ForgeComments {
  const own = (repository: string, commentId: string) =>
    `/repos/${encodeSegments(repository)}/issues/comments/${encodeURIComponent(commentId)}`
  const all = (repository: string, number: number) => `/repos/${encodeSegments(repository)}/issues/${number}/comments`
  return {
    maxLength,

    async create(connection, { repository, number }, body) {
      const call = { ...callOf(connection), method: 'POST', path: all(repository, number), body: { body } } as const
      return readId(await callForge(connection, call))
    },

    async update(connection, { repository }, commentId, body) {
      const call = { ...callOf(connection), method: 'PATCH', path: own(repository, commentId), body: { body } } as const
      return nothing(await callForge(connection, call))
    },

    async findByMarker(connection, { repository, number }, marker) {
      const call = { ...callOf(connection), path: `${all(repository, number)}?per_page=${PAGE}` }
      const next = (reply: ForgeReply) => nextByLink(reply, call.apiUrl)
      return withMarker(await callPages(connection, call, readComments, next), marker)
    },

    async find(connection, { repository, number }, commentId) {
      const answer = await callForge(connection, { ...callOf(connection), path: own(repository, commentId) })
      if (answer.outcome !== 'found') return answer
      const { body } = answer.value
      // Gitea answers nothing for the comment of a review.
      if (!isObject(body)) return { outcome: 'not_found' }
      if (!isOf(body, number)) return { outcome: 'not_found' }
      const comment = readComment(body)
      return comment ? { outcome: 'found', value: comment } : undocumented()
    },

    async react(connection, { repository }, commentId, reaction) {
      const path = `${own(repository, commentId)}/reactions`
      const body = { content: CONTENTS[reaction] }
      return nothing(await callForge(connection, { ...callOf(connection), method: 'POST', path, body }))
    },
  }
}

/** An id is one of the repository: only its address says of which pull request the comment is. */
function isOf(comment: JsonObject, number: number): boolean {
  const addresses = [comment['issue_url'], comment['pull_request_url']]
  return addresses.some((address) => typeof address === 'string' && address.endsWith(`/${number}`))
}

function readComments(body: unknown): readonly FoundComment[] | undefined {
  return Array.isArray(body) ? body.filter(isObject).flatMap((comment) => readComment(comment) ?? []) : undefined
}

/** Longer than any provider takes. */
const MAX_BODY = 1_000_000

function readComment(comment: JsonObject): FoundComment | undefined {
  const commentId = id(comment, 'id')
  if (commentId === null) return undefined
  const user = child(comment, 'user')
  const type = name(user, 'type')
  return {
    commentId,
    authorId: id(user, 'id'),
    authorLogin: name(user, 'login'),
    ...(type === null ? {} : { authorIsBot: type === 'Bot' }),
    ...readEdit(comment),
    body: text(comment, 'body', MAX_BODY) ?? '',
  }
}

/** A comment is written in two steps, which may fall into two seconds. */
const WRITING_MS = 2000

/** The words of a comment alone move its time of update: reactions do not. */
function readEdit(comment: JsonObject): Pick<FoundComment, 'isEdited'> {
  const [created, updated] = [moment(comment, 'created_at'), moment(comment, 'updated_at')]
  if (created === null || updated === null) return {}
  return { isEdited: Date.parse(updated) - Date.parse(created) > WRITING_MS }
}

/** The first of a list of comments whose body holds the marker. */
export function withMarker(answer: ForgeAnswer<readonly FoundComment[]>, marker: string): ForgeAnswer<FoundComment> {
  if (answer.outcome !== 'found') return answer
  const value = answer.value.find(({ body }) => body.includes(marker))
  return value ? { outcome: 'found', value } : { outcome: 'not_found' }
}

/** The id of what was made. */
export function readId(answer: ForgeAnswer<ForgeReply>): ForgeAnswer<string> {
  if (answer.outcome !== 'found') return answer
  const made = isObject(answer.value.body) ? id(answer.value.body, 'id') : null
  return made === null ? undocumented() : { outcome: 'found', value: made }
}

export function nothing(answer: ForgeAnswer<ForgeReply>): ForgeAnswer<null> {
  return answer.outcome === 'found' ? { outcome: 'found', value: null } : answer
}
