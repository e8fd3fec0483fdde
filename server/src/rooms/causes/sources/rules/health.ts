import type { SOURCE_STATES } from '@signalbox/contracts/sources'

export type SourceState = (typeof SOURCE_STATES)[number]

/** The record of a source's deliveries, without replays. */
export interface HealthFacts {
  readonly enabled: boolean
  /** The provider's name as it writes it. */
  readonly provider: string
  readonly pausesAfter: number | null
  readonly now: Date
  readonly lastDeliveryAt: Date | null
  /** Newest answers in a row that are no 2xx; those to pings and tests are left out. */
  readonly rejectedInARow: number
  /** The answers to deliveries with a proved sender among these. */
  readonly provedInARow: number
  /** Why the newest of them was refused; null: it was not. */
  readonly newestRefusal: { readonly statusCode: number; readonly reason: string } | null
}

export interface HealthVerdict {
  readonly status: SourceState
  readonly sentence: string
  readonly probablyPaused: boolean
}

/** This many in a row are no single forgery. */
const FAILING_AFTER = 3
const SILENT_AFTER_MS = 30 * 86_400_000

export function judgeHealth(facts: HealthFacts): HealthVerdict {
  const { enabled, provider, pausesAfter, rejectedInARow, provedInARow, newestRefusal, lastDeliveryAt, now } = facts
  // Anybody can have a forgery refused, and the provider knows nothing of it.
  const probablyPaused = pausesAfter !== null && provedInARow >= pausesAfter
  const verdict = (status: SourceState, sentence: string): HealthVerdict => ({ status, sentence, probablyPaused })
  if (!enabled) {
    return verdict('disabled', 'The source is disabled: every delivery is answered with 404 until it is enabled.')
  }
  if (lastDeliveryAt === null) {
    return verdict('unused', `No delivery is on record. Enter the payload URL as a webhook at ${provider}.`)
  }
  if (newestRefusal !== null && (probablyPaused || rejectedInARow >= FAILING_AFTER)) {
    const count = rejectedInARow === 1 ? 'The newest answer was' : `The newest ${rejectedInARow} answers were`
    const sentence = `${count} refused, the last with ${newestRefusal.statusCode}: ${newestRefusal.reason}`
    return verdict('failing', `${sentence}${tellPause(facts, probablyPaused)}`)
  }
  if (now.getTime() - lastDeliveryAt.getTime() > SILENT_AFTER_MS) {
    return verdict(
      'silent',
      `Nothing came since ${lastDeliveryAt.toISOString().slice(0, 10)}: is the webhook still there at ${provider}?`,
    )
  }
  return verdict('healthy', 'Deliveries come and are answered well.')
}

function tellPause({ provider, pausesAfter, rejectedInARow }: HealthFacts, probablyPaused: boolean): string {
  if (probablyPaused) {
    return ` ${provider} has probably paused the webhook: when the cause is mended, send a test from there or enable it again.`
  }
  if (pausesAfter === null || rejectedInARow < pausesAfter) return ''
  return ` Nothing proves that ${provider} sent them; if it did, it has paused the webhook.`
}
