import type { Log } from '#platform/log'
import { createSecondThread, openThread, type Thread } from '#platform/threads'
import type { Clock } from '#platform/time'
import { type Examined, examine } from './examine.ts'
import type { DeliveryToExamine } from './examiner-message.ts'
import type { Forge, VerificationRequest } from './port.ts'

export interface Examiner {
  /** Throws, or rejects, only where a forge throws, which none does. */
  examine(forge: Forge, request: VerificationRequest): Examined | Promise<Examined>
}

/** The second thread, as far as it is used here. */
export type ExaminingThread = Thread<DeliveryToExamine, Examined>

/**
 * Some 3 ms of work, in which this thread would answer nobody; with 25 MB it is half a second. Smaller ones are examined
 * sooner than they are handed over and back, however many they are.
 */
export const LARGE_BYTES = 256 * 1024

/** Examines large deliveries in a second thread, all others here. */
export function createExaminer(
  kit: { readonly clock: Clock; readonly log: Log },
  open: () => ExaminingThread = openExaminingThread,
): Examiner {
  const second = createSecondThread(kit, {
    what: 'examines large deliveries',
    here: ({ forge, request }: { readonly forge: Forge; readonly request: VerificationRequest }) =>
      examine(forge, request),
    toMessage: ({ forge, request }) => toMessage(forge, request),
    open,
  })
  return {
    examine: (forge, request) =>
      request.rawBody.length >= LARGE_BYTES ? second.ask({ forge, request }) : examine(forge, request),
  }
}

/** The body is copied once: this thread stores it too, and gives away the copy as it is. */
function toMessage(
  forge: Forge,
  { headers, authMode, receivedAt, rawBody, secrets }: VerificationRequest,
): { readonly message: DeliveryToExamine; readonly transfer: readonly [ArrayBuffer] } {
  const body = new Uint8Array(rawBody)
  const message = {
    forge: forge.id,
    headers,
    authMode,
    receivedAt,
    rawBody: body,
    secrets: secrets.map((secret) => new Uint8Array(secret)),
  }
  return { message, transfer: [body.buffer] }
}

export function openExaminingThread(): ExaminingThread {
  return openThread(new URL('./examiner-thread.ts', import.meta.url))
}
