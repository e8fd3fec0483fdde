import type { Kit } from '#platform/room'
import type { Lifetime } from './rules.ts'
import * as store from './store.ts'

/** `limited`: too many wrong ones came before. */
export type SignInOutcome = 'opened' | 'refused' | 'limited' | 'failed'

export interface SignInMetrics {
  /** `provider` is `local` for a password. */
  count(provider: string, outcome: SignInOutcome): void
}

const METHODS = ['password', 'openid']

/** Series about sessions, for GET /metrics. */
export function createSessionMetrics({ metrics, database, clock }: Kit, { idleMs }: Lifetime): SignInMetrics {
  const signIns = metrics.counter(
    'signalbox_sign_ins_total',
    'Attempts to sign in to the page, by what became of each',
    ['provider', 'outcome'],
  )
  const sessions = metrics.gauge('signalbox_sessions', 'Sessions that last, by the way of the sign-in', ['method'])
  metrics.onScrape(async () => {
    const at = clock.now()
    const counts = await store.countSessions(database.kysely, { at, idleSince: new Date(at.getTime() - idleMs) })
    for (const method of METHODS) {
      sessions.set({ method }, counts.find((each) => each.method === method)?.count ?? 0)
    }
  })
  return { count: (provider, outcome) => signIns.inc({ provider, outcome }) }
}
