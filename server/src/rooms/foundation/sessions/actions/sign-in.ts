import type { SignIn } from '@signalbox/contracts/sessions'
import { Problem } from '#platform/problems'
import { sessionProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import type { SignInOutcome } from '../metrics.ts'
import { type Client, type OpenedSession, openSession } from './open-session.ts'

const PROVIDER = 'local'

/** Signs in by password. Throws session.wrong_password (401) for any wrong pair, rate_limited (429). */
export async function signIn(means: Means, input: SignIn, client: Client): Promise<OpenedSession> {
  try {
    const opened = await tryPassword(means, input, client)
    if (!opened) throw sessionProblem('session.wrong_password', 'Login or password is wrong.')
    means.signIns.count(PROVIDER, 'opened')
    return opened
  } catch (error) {
    means.signIns.count(PROVIDER, outcomeOf(error))
    throw error
  }
}

async function tryPassword(means: Means, input: SignIn, client: Client): Promise<OpenedSession | undefined> {
  if (!means.config.passwordSignIn) {
    throw sessionProblem(
      'session.passwords_off',
      'Sign in by a provider: passwords are switched off (password_sign_in).',
    )
  }
  const verified = await means.access.verifyPassword(input.login, input.password, client.address)
  if (!verified) return undefined
  return means.access.changeAccess(async (tx) => {
    // A password that was changed meanwhile must open nothing: the change has ended every session.
    if (!(await verified.isStillRight(tx))) return undefined
    return openSession(means, tx, { userId: verified.userId, method: 'password', provider: null, client })
  })
}

function outcomeOf(error: unknown): SignInOutcome {
  if (!(error instanceof Problem)) return 'failed'
  if (error.status === 401 || error.status === 403) return 'refused'
  return error.status === 429 ? 'limited' : 'failed'
}
