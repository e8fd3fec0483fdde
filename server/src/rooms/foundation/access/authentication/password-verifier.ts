import { type Passwords, PasswordsBusy } from '#platform/crypto'
import type { Tx } from '#platform/database'
import { createAddressLimiter, createRateLimiter } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { accessProblem } from '../errors.ts'
import * as store from '../store/users.ts'

const PER_MINUTE = 10
const BURST = 10

/** A password that was right when it was verified. */
export interface VerifiedPassword {
  readonly userId: string
  /**
   * Locks the user until the transaction ends. False where the user was deleted or disabled, or has another password,
   * since it was verified.
   */
  isStillRight(tx: Tx): Promise<boolean>
}

export interface PasswordVerifier {
  /**
   * The enabled user behind login and password; undefined for any other pair, after the same time.
   * Throws rate_limited (429) when the address, or anybody for this login, has tried too often.
   */
  verify(login: string, password: string, address: string): Promise<VerifiedPassword | undefined>
}

export function createPasswordVerifier(kit: Kit, passwords: Passwords): PasswordVerifier {
  const limits = { perMinute: PER_MINUTE, burst: BURST, maxKeys: 10_000, clock: kit.clock }
  const byAddress = createAddressLimiter(limits)
  const byLogin = createRateLimiter(limits)
  return {
    async verify(login, password, address) {
      for (const left of [byAddress.look(address), byLogin.look(login)]) {
        if (left.ok) continue
        throw platformProblem('rate_limited', 'Too many attempts to sign in. Wait, then try again.', {
          headers: { 'retry-after': String(left.retryAfterSeconds) },
        })
      }
      const user = await store.findUserByLogin(kit.database.kysely, login)
      const right = await busyIs429(() => passwords.verify(user?.passwordHash ?? undefined, password))
      if (right && user && !user.disabledAt) return verified(user)
      byAddress.take(address)
      byLogin.take(login)
      return undefined
    },
  }
}

function verified({ id, passwordHash }: store.UserRow): VerifiedPassword {
  return {
    userId: id,
    async isStillRight(tx) {
      const now = await store.holdUser(tx, id)
      return now !== undefined && !now.disabledAt && now.passwordHash === passwordHash
    },
  }
}

/** Throws user.passwords_busy (429) where too many passwords are being computed. */
export async function busyIs429<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PasswordsBusy)) throw error
    throw accessProblem('user.passwords_busy', 'Too many passwords are being checked. Send the request again.', {
      cause: error,
      headers: { 'retry-after': '2' },
    })
  }
}
