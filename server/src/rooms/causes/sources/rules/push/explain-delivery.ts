import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { PushOutcome } from '@signalbox/contracts/sources'
import type { Delivery } from '../delivery.ts'
import { OWN } from '../judge-reading.ts'
import { isMade } from '../made.ts'
import { advise } from './explain-rule.ts'
import { find, type Telling } from './telling.ts'

/**
 * How a delivery was answered where that explains what its events do not: it was refused, or repeats another one.
 * `missedAt`: when it was missed before it came; null: it was not.
 */
export function explainAnswer(delivery: Delivery, missedAt: Date | null): Telling {
  const { id, sourceId, statusCode, duplicateOf, replayOf, reason } = delivery
  const evidence: readonly Evidence[] = [
    { kind: 'delivery', id },
    { kind: 'source', id: sourceId },
  ]
  const late = `Delivery ${id} was missed at ${missedAt?.toISOString()} first, and came back later.`
  const notes = [
    ...(replayOf === null
      ? []
      : [find('push.replay', `Delivery ${id} was run again by a person: it repeats ${replayOf}.`, evidence)]),
    ...(isMade(delivery)
      ? [find('push.made', `No delivery came: Signalbox saw the change itself, and made record ${id}.`, evidence)]
      : []),
    ...(missedAt === null || isMade(delivery) ? [] : [find('push.recovered', late, evidence)]),
  ]
  if (delivery.result === 'duplicate' && duplicateOf !== null) {
    const sentence = `Delivery ${id} tells again what delivery ${duplicateOf} had told before.`
    const about: readonly Evidence[] = [{ kind: 'delivery', id: duplicateOf }, ...evidence]
    return { outcome: 'duplicate', findings: [find('push.repeats', sentence, about), ...notes], whatToDo: [] }
  }
  const refusal = findRefusal(delivery)
  if (!refusal) return { outcome: 'nothing', findings: notes, whatToDo: [] }
  const { code, says, advice, outcome } = refusal
  const what = outcome === 'refused' ? `was refused with ${statusCode}` : 'was taken'
  const sentence = `Delivery ${id} ${what}: ${says}.`
  const whatToDo: readonly Finding[] = advice === null ? [] : [advise(`${code}.mend`, advice, evidence)]
  return { outcome, findings: [find(code, sentence, evidence, { told: reason }), ...notes], whatToDo }
}

interface Refusal {
  readonly code: string
  readonly says: string
  readonly advice: string | null
  readonly outcome: PushOutcome
}

/** Undefined: it was taken, and its events say more. */
function findRefusal(delivery: Delivery): Refusal | undefined {
  const { result, verification, unusable, trace, reason } = delivery
  if (result === 'ignored' && trace.events.length === 0) {
    return reason === OWN.reason ? { ...LOOP, outcome: 'nothing' } : { ...UNUSABLE, outcome: 'nothing' }
  }
  if (result === 'unprocessable') {
    return { ...(unusable ? UNUSABLE : TEST), outcome: 'refused' }
  }
  if (result !== 'rejected') return undefined
  if (verification === 'missing') return { ...UNSIGNED, outcome: 'refused' }
  if (verification === 'mismatch') return { ...FORGED, outcome: 'refused' }
  return { ...(REFUSALS[delivery.statusCode] ?? OTHER), outcome: 'refused' }
}

type Told = Omit<Refusal, 'outcome'>

const LOOP: Told = {
  code: 'push.own_change',
  says: 'the app of its source made the change itself, and what it does starts nothing',
  advice: null,
}
const UNUSABLE: Told = {
  code: 'push.unusable',
  says: 'nothing can use events of its kind',
  advice: 'Let the provider send other kinds of events, such as pushes and pull requests.',
}
const TEST: Told = { code: 'push.no_event', says: 'it tells of no change, as pings and tests do', advice: null }
const UNSIGNED: Told = {
  code: 'push.signature_missing',
  says: 'it has no signature',
  advice: 'Enter the secret of the source at the webhook of the provider.',
}
const FORGED: Told = {
  code: 'push.signature_refused',
  says: 'its signature does not fit the secret of the source',
  advice: 'Enter the same secret at the webhook of the provider as in the source.',
}
const OTHER: Told = {
  code: 'push.refused_delivery',
  says: 'the source could not take it',
  advice: 'Mend the cause, then let the provider send it again.',
}

/** Of deliveries whose sender was proved, or was not looked at. */
const REFUSALS: Readonly<Record<number, Told>> = {
  400: {
    code: 'push.unreadable',
    says: 'it could not be read',
    advice: 'Let the webhook send JSON, and compare the provider of the source.',
  },
  403: {
    code: 'push.not_allowed',
    says: 'the allowlist of the source does not admit the repository',
    advice: 'Add the repository to `repository_allowlist` of the source, then replay the delivery.',
  },
  404: {
    code: 'push.source_disabled',
    says: 'its source was disabled',
    advice: 'Enable the source, then let the provider send the delivery again.',
  },
  413: { code: 'push.too_large', says: 'it is too large', advice: 'Ask an operator to raise `webhook_body_limit`.' },
  429: {
    code: 'push.above_rate',
    says: 'more came than the source takes in a minute',
    advice: 'Replay the delivery, and raise `rate_limit` of the source if that happens often.',
  },
  503: {
    code: 'push.secret_unusable',
    says: 'the secret of the source could not be used',
    advice: 'Mend the secret of the source, then let the provider send the delivery again.',
  },
}
