import type { Person } from '@signalbox/contracts/event'
import { isObject, type JsonObject } from './json-object.ts'
import { id, name } from './payload-fields.ts'

/**
 * An account, or the author of a commit (who has a name and an e-mail address, but no id). Providers call the same things
 * `login` or `username` and `name` or `full_name`; only GitHub's `type` tells bots from people.
 */
export function readPerson(parent: JsonObject, key: string): Person | null {
  const person = parent[key]
  if (!isObject(person)) return null
  const type = name(person, 'type')
  return {
    id: id(person, 'id'),
    login: name(person, 'login') ?? name(person, 'username'),
    name: name(person, 'name') ?? name(person, 'full_name'),
    email: name(person, 'email'),
    bot: type === null ? null : type === 'Bot',
  }
}
