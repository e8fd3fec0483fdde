import type { GitAppError, RegistrationState } from '@signalbox/contracts/git-apps'

/** A registration as its row tells. */
export interface BegunRegistration {
  readonly expiresAt: Date
  readonly consumedAt: Date | null
  readonly exchanged: unknown
  readonly outcome: 'registered' | GitAppError | null
}

/** Longer than a provider is asked and its answer waits for the database. */
export const ASKING_MS = 60_000

/** What became of a registration; what its process did not write down is judged by the time. */
export function judgeRegistration(begun: BegunRegistration, now: Date): Pick<RegistrationState, 'status' | 'error'> {
  const { expiresAt, consumedAt, exchanged, outcome } = begun
  if (outcome === 'registered') return { status: 'registered', error: null }
  if (outcome !== null) return { status: 'failed', error: outcome }
  if (consumedAt === null) {
    return expiresAt <= now ? { status: 'failed', error: 'expired' } : { status: 'waiting', error: null }
  }
  if (exchanged !== null) return { status: 'finishing', error: null }
  if (now.getTime() - consumedAt.getTime() < ASKING_MS) return { status: 'asking', error: null }
  return { status: 'failed', error: 'interrupted' }
}
