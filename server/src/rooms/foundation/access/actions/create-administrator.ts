import type { User } from '@signalbox/contracts/access'
import { createToken } from '#platform/crypto'
import type { RequestOrigin } from '#platform/http'
import { accessProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { insertGrant } from '../store/grants.ts'
import { countAdministrators, lockRevision } from '../store/snapshot.ts'
import { insertToken } from '../store/tokens.ts'
import { insertUser } from '../store/users.ts'
import { changeAccess } from './change-access.ts'
import { presentUser } from './read-users.ts'
import { explain, makeUser, shown } from './write-user.ts'

export interface NewAdministrator {
  readonly login: string
  readonly name: string | undefined
  readonly email: string | null
  readonly password: string | undefined
  /** Undefined: no token is made. */
  readonly tokenName: string | undefined
}

export interface CreatedAdministrator {
  readonly user: User
  /** Shown once. */
  readonly token: string | undefined
}

/** The first administrator, with what they sign in by. Throws access.administrator_exists (409) when there is one. */
export async function createAdministrator(
  means: Means,
  origin: RequestOrigin,
  input: NewAdministrator,
): Promise<CreatedAdministrator> {
  const user = await makeUser(means, { ...input, disabled: false })
  const token = input.tokenName === undefined ? undefined : createToken('user')
  const { ids, clock } = means
  try {
    await changeAccess(means, async (tx) => {
      // Locked: of two first administrators at once, one is the second.
      await lockRevision(tx)
      if ((await countAdministrators(tx)) > 0) {
        throw accessProblem('access.administrator_exists', 'Ask an administrator to make your user: there is one.')
      }
      await insertUser(tx, user)
      await insertGrant(tx, {
        id: ids.next(),
        subjectKind: 'user',
        subjectId: user.id,
        role: 'administrator',
        teamPath: '/',
        createdAt: clock.now(),
      })
      if (token) {
        const row = {
          id: ids.next(),
          name: input.tokenName ?? '',
          lastFour: token.lastFour,
          owner: { kind: 'user', id: user.id } as const,
          limits: undefined,
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: null,
          createdAt: clock.now(),
        }
        await insertToken(tx, row, token.sha256)
      }
      await means.audit.record(tx, {
        origin,
        action: 'administrator.created',
        resource: { kind: 'user', id: user.id },
        teamPath: '/',
        after: { ...shown(user), has_token: token !== undefined },
      })
    })
  } catch (error) {
    throw explain(error, input.login)
  }
  return { user: presentUser(user), token: token?.token }
}
