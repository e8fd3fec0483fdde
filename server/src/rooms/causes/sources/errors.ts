import { isUnavailable } from '#platform/database'
import { defineProblems, platformProblem } from '#platform/problems'

export const sourceProblem = defineProblems({
  'source.name_taken': { status: 409, title: 'A source of this name exists' },
  'source.in_use': { status: 409, title: 'Triggers use the source' },
  'source.invalid': { status: 400, title: 'The source is not valid' },
  'source.not_connectable': { status: 400, title: 'The repository cannot be connected' },
  'source.provider_refused': { status: 400, title: 'The Git provider refused' },
  'source.connection_busy': { status: 409, title: 'The repository is being connected' },
  'repository.provider_unreachable': { status: 502, title: 'The Git provider could not be asked' },
  'delivery.not_replayable': { status: 409, title: 'The delivery cannot be run again' },
  'delivery.unreadable': { status: 400, title: 'The delivery cannot be read' },
  'delivery.signature_invalid': { status: 401, title: 'The signature is missing or does not match' },
  'delivery.repository_not_allowed': { status: 403, title: 'The repository is not in the allowlist' },
  'delivery.nothing_runnable': { status: 422, title: 'The event carries nothing runnable' },
  'delivery.too_many_forgeries': { status: 429, title: 'Too many deliveries from this address prove nothing' },
  'delivery.rate_exceeded': { status: 429, title: 'The rate limit of the source is exceeded' },
  'delivery.overloaded': { status: 503, title: 'Deliveries cannot be stored fast enough' },
})

/** The problem when grants, triggers or secrets cannot be read: nothing is decided without them. */
export function unavailable(error: unknown): unknown {
  if (!isUnavailable(error)) return error
  return platformProblem('authorization_unavailable', 'The rights of the delivery cannot be decided right now.', {
    cause: error,
    headers: { 'retry-after': '2' },
  })
}

/** Awaits `work` and turns its failure into that problem. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw unavailable(error)
  }
}
