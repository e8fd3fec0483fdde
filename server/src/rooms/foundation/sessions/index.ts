import type { Tx } from '#platform/database'
import { type Authenticator, browserAccessOf } from '#platform/http'
import { defineRoom } from '#platform/room'
import { endSessions } from './actions/end-sessions.ts'
import { type NewSession, type OpenedSession, openSession } from './actions/open-session.ts'
import { isLasting } from './actions/read-sessions.ts'
import { createSessionAuthenticator } from './authentication/session-authenticator.ts'
import { sessionProblem } from './errors.ts'
import { sessionJobs } from './jobs.ts'
import type { Asked, Means } from './means.ts'
import { createSessionMetrics, type SignInOutcome } from './metrics.ts'
import { sessionRoutes } from './routes.ts'

export type { Client } from './actions/open-session.ts'

export interface Sessions {
  /** Of every request: judges sessions, and hands tokens to the authenticator of access. */
  readonly authenticator: Authenticator
  /**
   * Opens a session of an enabled user, in a transaction of `access.changeAccess`; undefined where the user is gone or
   * disabled.
   */
  openSession(tx: Tx, input: NewSession): Promise<OpenedSession | undefined>
  /** Whether it can still be used: not ended, and not over by time. */
  isLasting(id: string): Promise<boolean>
  /** For the series of sign-ins. */
  countSignIn(provider: string, outcome: SignInOutcome): void
  /** Ends the sessions of a user, all but `kept`, within a change of that user. */
  endSessions(tx: Tx, userId: string, kept: string | undefined): Promise<void>
}

const HOUR_MS = 3_600_000

export const sessions = defineRoom<Sessions, Asked>({
  name: 'foundation/sessions',
  open(kit, asked) {
    const { sessionIdleHours, sessionMaxDays } = kit.config
    const lifetime = { idleMs: sessionIdleHours * HOUR_MS, maxMs: sessionMaxDays * 24 * HOUR_MS }
    const signIns = createSessionMetrics(kit, lifetime)
    const means: Means = { ...kit, ...asked, browsers: browserAccessOf(kit.config), lifetime, signIns }
    const authenticator = createSessionAuthenticator(means)
    return {
      door: {
        authenticator,
        openSession: (tx, input) => openSession(means, tx, input),
        isLasting: (id) => isLasting(means, id),
        countSignIn: (provider, outcome) => signIns.count(provider, outcome),
        endSessions: (tx, id, kept) => endSessions(means, tx, { id, kept }),
      },
      routes: sessionRoutes(means),
      problems: [sessionProblem],
      jobs: sessionJobs(means),
      close: () => authenticator.settle(),
    }
  },
})
