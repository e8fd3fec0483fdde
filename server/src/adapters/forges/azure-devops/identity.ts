import type { Person } from '@signalbox/contracts/event'
import { isObject, type JsonObject } from '../json-object.ts'
import { name } from '../payload-fields.ts'

/** An account; its unique name is an e-mail address, or what else its directory signs it in with. */
export function readIdentity(parent: JsonObject, key: string): Person | null {
  const identity = parent[key]
  if (!isObject(identity)) return null
  return {
    id: name(identity, 'id'),
    login: name(identity, 'uniqueName'),
    name: name(identity, 'displayName'),
    email: null,
    bot: null,
  }
}
