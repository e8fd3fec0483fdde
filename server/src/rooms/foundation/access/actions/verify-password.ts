import { createRateLimiter } from '#platform/http'
import { platformProblem } from '#platform/problems'
import * as store from '../store/users.ts'
import type { AccessMeans } from './change-access.ts'
import { busyIs429 } from './write-user.ts'

const PER_MINUTE = 10
const BURST = 10

export interface PasswordVerifier {
  /**
   * The id of the enabled user behind login and password; undefined for any other pair, after the same time.
   * Throws rate_limited (429) when the address, or anybody for this login, has tried too often.
   */
  verify(login: string, password: string, address: string): Promise<string | undefined>
}

export function createPasswordVerifier(means: AccessMeans): PasswordVerifier {
  const limits = { perMinute: PER_MINUTE, burst: BURST, maxKeys: 10_000, clock: means.kit.clock }
  const byAddress = createRateLimiter(limits)
  const byLogin = createRateLimiter(limits)
  return {
    async verify(login, password, address) {
      for (const left of [byAddress.look(address), byLogin.look(login)]) {
        if (left.ok) continue
        throw platformProblem('rate_limited', 'Too many attempts to sign in. Wait, then try again.', {
          headers: { 'retry-after': String(left.retryAfterSeconds) },
        })
      }
      const user = await store.findUserByLogin(means.kit.database.kysely, login)
      const right = await busyIs429(() => means.passwords.verify(user?.passwordHash ?? undefined, password))
      if (right && user && !user.disabledAt) return user.id
      byAddress.take(address)
      byLogin.take(login)
      return undefined
    },
  }
}
