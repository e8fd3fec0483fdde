import { type Arrival, recordOf, secondsSince, type Verdict } from '../ingress/arrival.ts'
import type { DeliveryEntry } from '../ingress/delivery-entry.ts'
import type { Means } from '../means.ts'
import type { Delivery, DeliveryResult } from '../rules/index.ts'

export interface DeliveryAnswer {
  readonly status: 200 | 202
  readonly body: { readonly status: 'accepted' | 'ignored' }
}

/** Records a delivery as its verdict says, then answers it: the problem of a refusal is thrown. */
export async function concludeDelivery(means: Means, arrival: Arrival, verdict: Verdict): Promise<DeliveryAnswer> {
  const { provider } = arrival.source
  const entry = entryOf(means, arrival, verdict)
  if (!entry) means.ingress.metrics.unrecorded(provider)
  const stored = entry && (await store(means, arrival, { verdict, entry }))
  means.ingress.metrics.delivered(provider, (stored ?? outcomeOf(verdict)).result, secondsSince(means, arrival))
  if (verdict.kind !== 'decided') throw verdict.problem
  if (verdict.names.length > 0) means.ingress.names.invalidate()
  return (stored ?? verdict).statusCode === 202
    ? { status: 202, body: { status: 'accepted' } }
    : { status: 200, body: { status: 'ignored' } }
}

/** Undefined where nothing is recorded: capacity is lacking, or too many like it were refused before. */
function entryOf(means: Means, arrival: Arrival, verdict: Verdict): DeliveryEntry | undefined {
  const { forges } = means
  const { source, request, body } = arrival
  const payload = body && { headers: forges.keepHeaders(request.headers), body }
  const outcome = outcomeOf(verdict)
  const refused = (note: string, kept: DeliveryEntry['payload']): DeliveryEntry => ({
    delivery: recordOf(means, arrival, { ...outcome, reason: `${outcome.reason}${note}` }),
    repetition: 'none',
    payload: kept,
    plans: [],
  })
  switch (verdict.kind) {
    case 'overloaded':
      return undefined
    case 'unproved': {
      const admitted = means.ingress.limits.admitRecord(source.id, request.address)
      return admitted.ok ? refused(andMore(admitted.unrecorded), undefined) : undefined
    }
    case 'above_rate': {
      // Hardly any provider sends it again, so that it is kept to be replayed. Of a flood a part is only counted.
      const admitted = means.ingress.limits.admitAboveRate(source.id, body?.length ?? 0)
      if (!admitted.ok) return undefined
      const without = admitted.payload ? '' : ' The payload was not kept, as too much came above the rate.'
      return refused(`${without}${andMore(admitted.unrecorded)}`, admitted.payload ? payload : undefined)
    }
    case 'unusable':
      return refused('', payload)
    case 'decided':
      return {
        delivery: recordOf(means, arrival, verdict),
        repetition: repetitionOf(verdict),
        payload,
        plans: verdict.plans,
        reportsStatus: source.reportStatus,
        takesCommands: source.commentCommands,
        names: verdict.names,
      }
  }
}

function andMore(unrecorded: number): string {
  return unrecorded > 0 ? ` ${unrecorded} more were refused and not recorded.` : ''
}

/** A delivery without plans repeats nothing. */
function repetitionOf({ plans, statusCode }: Extract<Verdict, { kind: 'decided' }>): DeliveryEntry['repetition'] {
  if (plans.length === 0) return 'none'
  return statusCode === 202 ? 'claim' : 'look'
}

function outcomeOf(verdict: Verdict) {
  if (verdict.kind === 'decided') return verdict
  const { checked, reason, problem } = verdict
  const result: DeliveryResult = problem.status === 422 ? 'unprocessable' : 'rejected'
  return { checked, reason, result, statusCode: problem.status }
}

/** A sender that is not proved waits for its record a second at most, and never sees its error. */
const SOON_MS = 1000

async function store(
  means: Means,
  arrival: Arrival,
  { verdict, entry }: { readonly verdict: Verdict; readonly entry: DeliveryEntry },
): Promise<Delivery | undefined> {
  const storing = commit(means, arrival, entry)
  if (verdict.kind !== 'unproved') return storing
  const stored = storing.catch((error: Error) => {
    means.log.debug({ err: error.message }, 'a refused delivery was not recorded')
    return undefined
  })
  const enough = new AbortController()
  const soon = means.clock.sleep(SOON_MS, enough.signal).then(() => undefined)
  const first = await Promise.race([stored, soon])
  enough.abort()
  return first
}

/** A delivery that was refused before its body was read has no ticket yet. */
async function commit(
  { ingress: { admissions, committer } }: Means,
  arrival: Arrival,
  entry: DeliveryEntry,
): Promise<Delivery> {
  const ticket = arrival.ticket ?? admissions.take(arrival.source.id, 0)
  try {
    return (await committer.commit(entry, ticket)).delivery
  } finally {
    if (!arrival.ticket) ticket.giveBack()
  }
}
