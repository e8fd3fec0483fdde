import type { Person } from '@signalbox/contracts/event'
import { isObject, type JsonObject } from '../json-object.ts'
import { id, name } from '../payload-fields.ts'

const SERVICE: Readonly<Record<string, boolean>> = { NORMAL: false, SERVICE: true }

/** A user, whose `name` is what they sign in with. */
export function readUser(parent: JsonObject, key: string): Person | null {
  const user = parent[key]
  if (!isObject(user)) return null
  const type = name(user, 'type') ?? ''
  return {
    id: id(user, 'id'),
    login: name(user, 'name') ?? name(user, 'slug'),
    name: name(user, 'displayName'),
    email: name(user, 'emailAddress'),
    bot: Object.hasOwn(SERVICE, type) ? (SERVICE[type] ?? null) : null,
  }
}
