import { callForge, callPages, nextByLink, undocumented } from '../api-client.ts'
import { nothing, readId, withMarker } from '../issue-comments.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, id, text } from '../payload-fields.ts'
import type { ForgeComments, FoundComment, Reaction } from '../telling-port.ts'
import { callOf, projectPath } from './api.ts'

/** GitLab's limit of a note. */
const MAX_BODY = 1_000_000
const PAGE = 100

const EMOJIS: Readonly<Record<Reaction, string>> = {
  seen: 'eyes',
  done: 'thumbsup',
  refused: 'thumbsdown',
  confused: 'confused',
}

/** Notes of merge requests, and their award emoji. */
export const comments: ForgeComments = {
  maxLength: MAX_BODY,

  async create(connection, { repository, number }, body) {
    const path = notesPath(repository, number)
    return readId(await callForge(connection, { ...callOf(connection), method: 'POST', path, body: { body } }))
  },

  async update(connection, { repository, number }, commentId, body) {
    const path = `${notesPath(repository, number)}/${encodeURIComponent(commentId)}`
    return nothing(await callForge(connection, { ...callOf(connection), method: 'PUT', path, body: { body } }))
  },

  async findByMarker(connection, { repository, number }, marker) {
    const path = `${notesPath(repository, number)}?sort=asc&order_by=created_at&per_page=${PAGE}`
    const call = { ...callOf(connection), path }
    return withMarker(await callPages(connection, call, readNotes, (reply) => nextByLink(reply, call.apiUrl)), marker)
  },

  async find(connection, { repository, number }, commentId) {
    const path = `${notesPath(repository, number)}/${encodeURIComponent(commentId)}`
    const answer = await callForge(connection, { ...callOf(connection), path })
    if (answer.outcome !== 'found') return answer
    const note = isObject(answer.value.body) ? readNote(answer.value.body) : undefined
    return note ? { outcome: 'found', value: note } : undocumented()
  },

  async react(connection, { repository, number }, commentId, reaction) {
    const path = `${notesPath(repository, number)}/${encodeURIComponent(commentId)}/award_emoji`
    const body = { name: EMOJIS[reaction] }
    return nothing(await callForge(connection, { ...callOf(connection), method: 'POST', path, body }))
  },
}

function notesPath(repository: string, number: number): string {
  return `${projectPath(repository)}/merge_requests/${number}/notes`
}

function readNotes(body: unknown): readonly FoundComment[] | undefined {
  return Array.isArray(body) ? body.filter(isObject).flatMap((note) => readNote(note) ?? []) : undefined
}

function readNote(note: JsonObject): FoundComment | undefined {
  const commentId = id(note, 'id')
  if (commentId === null) return undefined
  return { commentId, authorId: id(child(note, 'author'), 'id'), body: text(note, 'body', MAX_BODY) ?? '' }
}
