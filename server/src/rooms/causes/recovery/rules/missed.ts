import type { LoggedDelivery } from '#adapters/forges'

/** An answer that this service gave to a delivery of the provider's id. */
export interface KnownAnswer {
  readonly deliveryId: string
  readonly deliveryRecordId: string
  readonly receivedAt: Date
  readonly statusCode: number
}

/** After as many requests in vain a delivery is given up. */
export const MAX_TRIES = 5
const FIRST_PAUSE_MS = 10 * 60_000

/** How long a request may take to bring the delivery before the provider is asked once more. */
export function pauseOf(tries: number): number {
  return FIRST_PAUSE_MS * 2 ** tries
}

/**
 * A delivery that got an answer is here, also where the answer was a refusal: sent again it would be refused again. It is
 * not where it came too fast (429), or where this service could not store it (5xx).
 */
export function isArrived({ statusCode }: Pick<KnownAnswer, 'statusCode'>): boolean {
  return statusCode !== 429 && statusCode < 500
}

/** A source that is disabled answers so, and looks at nothing: the delivery came, and was not taken. */
export function isUnwanted({ statusCode }: Pick<KnownAnswer, 'statusCode'>): boolean {
  return statusCode === 404
}

/** By the provider's id: the first answer that counts. What came later repeated it, unless the first was not taken. */
export function judgeAnswers(answers: readonly KnownAnswer[]): ReadonlyMap<string, KnownAnswer> {
  const first = new Map<string, KnownAnswer>()
  for (const answer of answers.filter(isArrived)) {
    const known = first.get(answer.deliveryId)
    if (!known || isBefore(answer, known)) first.set(answer.deliveryId, answer)
  }
  return first
}

function isBefore(answer: KnownAnswer, known: KnownAnswer): boolean {
  return isUnwanted(answer) === isUnwanted(known) ? answer.receivedAt < known.receivedAt : isUnwanted(known)
}

/**
 * The newest attempt of each delivery that is not here. An attempt without a time, or of the future, counts as one of now:
 * a log may not be believed in this.
 */
export function missedIn(
  logged: readonly LoggedDelivery[],
  arrived: ReadonlyMap<string, unknown>,
  now: Date,
): readonly (LoggedDelivery & { readonly missedAt: Date })[] {
  const newest = new Map<string, LoggedDelivery>()
  for (const attempt of logged) if (!newest.has(attempt.deliveryId)) newest.set(attempt.deliveryId, attempt)
  return [...newest.values()]
    .filter(({ deliveryId }) => !arrived.has(deliveryId))
    .map((attempt) => ({ ...attempt, missedAt: attemptedAt(attempt, now) }))
}

export function attemptedAt({ deliveredAt }: Pick<LoggedDelivery, 'deliveredAt'>, now: Date): Date {
  const at = deliveredAt === null ? Number.NaN : Date.parse(deliveredAt)
  return Number.isNaN(at) || at > now.getTime() ? now : new Date(at)
}
