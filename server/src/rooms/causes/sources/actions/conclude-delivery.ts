import type { Kit } from '#platform/room'
import { type Arrival, recordOf, secondsSince, type Verdict } from '../ingress/arrival.ts'
import type { DeliveryEntry } from '../ingress/committer.ts'
import type { Ingress } from '../ingress/ingress.ts'
import type { Delivery, DeliveryResult } from '../rules/index.ts'

export interface DeliveryAnswer {
  readonly status: 200 | 202
  readonly body: { readonly status: 'accepted' | 'ignored' }
}

/** Records a delivery as its verdict says, then answers it: the problem of a refusal is thrown. */
export async function concludeDelivery(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  verdict: Verdict,
): Promise<DeliveryAnswer> {
  const { provider } = arrival.source
  const entry = entryOf(kit, ingress, arrival, verdict)
  if (!entry) ingress.metrics.unrecorded(provider)
  const stored = entry && (await store(kit, ingress, arrival, { verdict, entry }))
  ingress.metrics.delivered(provider, (stored ?? outcomeOf(verdict)).result, secondsSince(kit, arrival))
  if (verdict.kind !== 'decided') throw verdict.problem
  if (verdict.names.length > 0) ingress.names.invalidate()
  return (stored ?? verdict).statusCode === 202
    ? { status: 202, body: { status: 'accepted' } }
    : { status: 200, body: { status: 'ignored' } }
}

/** Undefined where nothing is recorded: there is no room, or too many like it were refused before. */
function entryOf(kit: Kit, ingress: Ingress, arrival: Arrival, verdict: Verdict): DeliveryEntry | undefined {
  const { forges } = ingress.needs
  const { source, request, body } = arrival
  const payload = body && { headers: forges.keepHeaders(request.headers), body }
  const outcome = outcomeOf(verdict)
  const refused = (note: string, kept: DeliveryEntry['payload']): DeliveryEntry => ({
    delivery: recordOf(kit, arrival, { ...outcome, reason: `${outcome.reason}${note}` }),
    repetition: 'none',
    payload: kept,
    plans: [],
  })
  switch (verdict.kind) {
    case 'no_room':
      return undefined
    case 'unproved': {
      const admitted = ingress.limits.admitRecord(source.id, request.address)
      return admitted.ok ? refused(andMore(admitted.unrecorded), undefined) : undefined
    }
    case 'above_rate': {
      // Hardly any provider sends it again, so that it is kept to be replayed. Of a flood a part is only counted.
      const admitted = ingress.limits.admitAboveRate(source.id, body?.length ?? 0)
      if (!admitted.ok) return undefined
      const without = admitted.payload ? '' : ' Its payload was not kept, as too much came above the rate.'
      return refused(`${without}${andMore(admitted.unrecorded)}`, admitted.payload ? payload : undefined)
    }
    case 'unusable':
      return refused('', payload)
    case 'decided':
      return {
        delivery: recordOf(kit, arrival, verdict),
        repetition: repetitionOf(verdict),
        payload,
        plans: verdict.plans,
        reportsStatus: source.reportStatus,
        names: verdict.names,
      }
  }
}

function andMore(unrecorded: number): string {
  return unrecorded > 0 ? ` ${unrecorded} more were refused and not recorded.` : ''
}

/** What tells of nothing is no repetition of anything. */
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

/** A sender that is not proved need not wait for its record: a second at most, and never with an error. */
const SOON_MS = 1000

async function store(
  kit: Kit,
  ingress: Ingress,
  arrival: Arrival,
  { verdict, entry }: { readonly verdict: Verdict; readonly entry: DeliveryEntry },
): Promise<Delivery | undefined> {
  const storing = commit(ingress, arrival, entry)
  if (verdict.kind !== 'unproved') return storing
  const stored = storing.catch((error: Error) => {
    kit.log.debug({ err: error.message }, 'a refused delivery was not recorded')
    return undefined
  })
  const enough = new AbortController()
  const soon = kit.clock.sleep(SOON_MS, enough.signal).then(() => undefined)
  const first = await Promise.race([stored, soon])
  enough.abort()
  return first
}

/** One that was refused before its body was read has no ticket yet. */
async function commit({ admissions, committer }: Ingress, arrival: Arrival, entry: DeliveryEntry): Promise<Delivery> {
  const ticket = arrival.ticket ?? admissions.take(arrival.source.id, 0)
  try {
    return (await committer.commit(entry, ticket)).delivery
  } finally {
    if (!arrival.ticket) ticket.giveBack()
  }
}
