import type { Person } from '@signalbox/contracts/event'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, name } from '../payload-fields.ts'

/** An account: its nickname may change and is not unique, its uuid stays. Only programs have a type of their own. */
export function readAccount(parent: JsonObject, key: string): Person | null {
  const account = parent[key]
  if (!isObject(account)) return null
  return {
    id: name(account, 'uuid'),
    login: name(account, 'nickname') ?? name(account, 'username'),
    name: name(account, 'display_name'),
    email: null,
    bot: name(account, 'type') === 'app_user' ? true : null,
  }
}

/** The author of a commit as Git has it, `Mona Lisa <mona@example.com>`, with the account where Bitbucket knows it. */
export function readAuthor(commit: JsonObject): Person | null {
  const author = child(commit, 'author')
  const account = readAccount(author, 'user')
  const [, called, email] = /^([^<>]*)<([^<>]*)>$/.exec(name(author, 'raw') ?? '') ?? []
  if (account === null && called === undefined) return null
  const nobody: Person = { id: null, login: null, name: null, email: null, bot: null }
  return { ...nobody, ...account, name: called?.trim() || (account?.name ?? null), email: email || null }
}
