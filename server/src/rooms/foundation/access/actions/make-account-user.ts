import type { Tx } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import type { Means } from '../means.ts'
import { loginOf, numbered } from '../rules/free-login.ts'
import * as store from '../store/users.ts'
import { makeUser, shown } from './write-user.ts'

/** A person as a provider describes them: text from outside. */
export interface AccountProfile {
  /** The first of which a login can be made becomes one, with a number where it is taken. */
  readonly wishes: readonly string[]
  readonly name: string | undefined
  readonly email: string | null
}

/** Beyond them the end of the id makes the login unique. */
const MOST_NUMBERS = 20

/** A new user without a password, in a transaction of changeAccess. Never an existing one, whatever the login. */
export async function makeAccountUser(
  means: Means,
  tx: Tx,
  origin: RequestOrigin,
  { wishes, name, email }: AccountProfile,
): Promise<store.UserRow> {
  const login = wishes.map(loginOf).find((wish) => wish !== undefined) ?? 'user'
  const wished = await makeUser(means, { login, name, email, password: undefined, disabled: false })
  const user = await insertUnderFreeLogin(tx, wished)
  const resource = { kind: 'user', id: user.id }
  await means.audit.record(tx, { origin, action: 'user.created', resource, teamPath: '/', after: shown(user) })
  return user
}

async function insertUnderFreeLogin(tx: Tx, wished: store.UserRow): Promise<store.UserRow> {
  for (let number = 1; number <= MOST_NUMBERS; number += 1) {
    const user = { ...wished, login: numbered(wished.login, number) }
    if (await store.insertUserIfFree(tx, user)) return user
  }
  const user = { ...wished, login: `${wished.login}-${wished.id.slice(-8)}` }
  await store.insertUser(tx, user)
  return user
}
