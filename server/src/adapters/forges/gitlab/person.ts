import type { Person } from '@signalbox/contracts/event'
import type { JsonObject } from '../json-object.ts'
import { id, name } from '../payload-fields.ts'
import { readPerson } from '../person.ts'

/** What GitLab writes in place of an e-mail address that its owner does not show. */
const REDACTED = '[REDACTED]'

/** The user of a payload, who did what it tells. */
export function readUser(payload: JsonObject): Person | null {
  const user = readPerson(payload, 'user')
  return user && { ...user, email: shown(user.email) }
}

/** The user of a push, whose fields stand at the top. */
export function readPusher(payload: JsonObject): Person | null {
  const pusher = {
    id: id(payload, 'user_id'),
    login: name(payload, 'user_username'),
    name: name(payload, 'user_name'),
    email: shown(name(payload, 'user_email')),
    bot: null,
  }
  return pusher.id === null && pusher.login === null && pusher.name === null ? null : pusher
}

/** GitLab sends no more than the author's id; who that is it tells only where the author is the one who acts. */
export function readAuthor(mergeRequest: JsonObject, actor: Person | null): Person | null {
  const authorId = id(mergeRequest, 'author_id')
  if (authorId === null) return null
  if (authorId === actor?.id) return actor
  return { id: authorId, login: null, name: null, email: null, bot: null }
}

function shown(email: string | null): string | null {
  return email === REDACTED ? null : email
}
