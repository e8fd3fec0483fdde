import type { Person } from '@signalbox/contracts/event'
import type { JsonObject } from '../json-object.ts'
import { id, name } from '../payload-fields.ts'
import { readPerson } from '../person.ts'

/** The text that GitLab writes in place of a hidden e-mail address. */
const REDACTED = '[REDACTED]'

/** The user of a payload, who caused the event. */
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

/** GitLab sends only the author's id. The person behind it is known only where the author is also the sender. */
export function readAuthor(mergeRequest: JsonObject, actor: Person | null): Person | null {
  const authorId = id(mergeRequest, 'author_id')
  if (authorId === null) return null
  if (authorId === actor?.id) return actor
  return { id: authorId, login: null, name: null, email: null, bot: null }
}

function shown(email: string | null): string | null {
  return email === REDACTED ? null : email
}
