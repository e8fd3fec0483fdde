import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { RecoveryStanding } from '@signalbox/contracts/recovery'
import type { PushFinding } from '@signalbox/contracts/sources'
import type { ConnectionState } from '../connection.ts'
import type { HealthVerdict } from '../health.ts'
import { advise } from './explain-rule.ts'
import { find, type Telling } from './telling.ts'

/** A source that admits the repository, and that the reader may see. */
export interface AskedSource {
  /** Sentences name it by this: its name is any text. */
  readonly id: string
  readonly enabled: boolean
  readonly provider: string
  readonly health: Pick<HealthVerdict, 'status' | 'probablyPaused'>
  readonly lastDeliveryAt: Date | null
  readonly newestRefusal: { readonly statusCode: number; readonly reason: string } | null
  /** Of the webhook that Signalbox made for the repository; null: it made none. */
  readonly connection: ConnectionState | null
  readonly standing: RecoveryStanding
  /** Of deliveries that were refused before anybody knew of which repository they tell: the newest. */
  readonly unread: { readonly count: number; readonly newestId: string } | null
  /** The present name of the repository, where the source heard of another one since. */
  readonly renamedTo: string | null
}

export interface SilenceFacts {
  /** Sources that the reader may see, whichever repositories they admit. */
  readonly seenSources: number
  /** Those that admit the repository. */
  readonly sources: readonly AskedSource[]
  /** What came last of the repository, whatever it told of. */
  readonly last: { readonly deliveryId: string; readonly at: Date } | null
  readonly keptDays: number
  /** Whether a change was asked for, and not only the repository. */
  readonly asksChange: boolean
}

/** Why nothing of a change is on record: no source admits it, or what is known of those that do. */
export function explainSilence(facts: SilenceFacts): Telling {
  const { seenSources, sources, last, keptDays, asksChange } = facts
  if (sources.length === 0) {
    const have =
      seenSources === 1 ? 'The source that you may see does' : `The ${seenSources} sources that you may see do`
    const findings = [
      find('push.no_source', 'No webhook source that you may see admits the repository.', []),
      ...(seenSources === 0 ? [] : [find('push.sources_seen', `${have} not have it in the allowlist.`, [])]),
    ]
    const advice = 'Add the repository to the allowlist of a source, or make a source for its provider.'
    return { outcome: 'not_heard', findings, whatToDo: [advise('push.make_source', advice, [])] }
  }
  const what = asksChange ? 'this change' : 'the repository'
  const days = `Records are kept for ${keptDays} days.`
  const unheard = `No delivery and no event of ${what} is on record. ${days}`
  const newest = last
    ? [
        find('push.last_delivery', `The last delivery of the repository came at ${last.at.toISOString()}.`, [
          { kind: 'delivery', id: last.deliveryId },
        ]),
      ]
    : []
  const told = sources.map(explainSource)
  return {
    outcome: 'not_heard',
    findings: [find('push.not_heard', unheard, []), ...told.flatMap(({ findings }) => findings), ...newest],
    whatToDo: [...told.flatMap(({ whatToDo }) => whatToDo), ...(last && asksChange ? [compare(last.deliveryId)] : [])],
  }
}

function compare(id: string): Finding {
  const advice = 'Compare the commit or ref with the last delivery: the push may have been to another branch or fork.'
  return advise('push.compare', advice, [{ kind: 'delivery', id }])
}

type Told = Pick<Telling, 'findings' | 'whatToDo'>

/** The fault of a source that explains the silence best comes first. */
function explainSource(source: AskedSource): Told {
  const evidence: readonly Evidence[] = [{ kind: 'source', id: source.id }]
  const parts = [
    sayState(source, evidence),
    sayRefusals(source, evidence),
    sayConnection(source, evidence),
    ...sayRecovery(source, evidence),
    sayRenamed(source, evidence),
  ].filter((part) => part !== undefined)
  if (parts.length === 0) {
    const sentence = `The source ${source.id} admits the repository, and its deliveries are answered well.`
    const advice = `Look at the webhook at the provider: whether it is there, and which events it sends.`
    return {
      findings: [find('source.healthy', sentence, evidence)],
      whatToDo: [advise('source.look', advice, evidence)],
    }
  }
  return {
    findings: parts.map(({ finding }) => finding),
    whatToDo: parts.flatMap(({ advice }) => (advice === undefined ? [] : [advice])),
  }
}

interface Part {
  readonly finding: PushFinding
  readonly advice?: Finding
}

function sayState(source: AskedSource, evidence: readonly Evidence[]): Part | undefined {
  const { id, enabled, health, lastDeliveryAt, newestRefusal } = source
  const mend = (code: string, sentence: string) => advise(code, sentence, evidence)
  if (!enabled) {
    return {
      finding: find('source.disabled', `The source ${id} is disabled: it answers 404 to every delivery.`, evidence),
      advice: mend('source.enable', `Enable the source ${id}.`),
    }
  }
  switch (health.status) {
    case 'unused':
      return {
        finding: find('source.unused', `The source ${id} admits the repository, and no delivery ever came.`, evidence),
        advice: mend('source.connect', `Connect the repository: signalbox source connect ${source.id}`),
      }
    case 'silent': {
      const since = lastDeliveryAt ? ` since ${lastDeliveryAt.toISOString().slice(0, 10)}` : ''
      return {
        finding: find('source.silent', `Nothing came to the source ${id}${since}.`, evidence),
        advice: mend('source.look', 'Look whether the webhook is still there at the provider.'),
      }
    }
    case 'failing': {
      const paused = health.probablyPaused ? '; the provider has probably paused the webhook' : ''
      const last = newestRefusal ? `, the last with ${newestRefusal.statusCode}` : ''
      const sentence = `The source ${id} refused its newest deliveries${last}${paused}.`
      return {
        finding: find('source.failing', sentence, evidence, { told: newestRefusal?.reason ?? null }),
        advice: mend(
          'source.mend',
          `Mend the cause, then send a test from the provider: signalbox source health ${source.id}`,
        ),
      }
    }
    default:
      return undefined
  }
}

function sayRefusals({ id, unread, health }: AskedSource, evidence: readonly Evidence[]): Part | undefined {
  if (!unread || health.status === 'failing') return undefined
  const many = unread.count === 1 ? '1 delivery' : `${unread.count} deliveries`
  const sentence = `The source ${id} refused ${many} unread this week, so that nobody knows of which repository.`
  const about: readonly Evidence[] = [{ kind: 'delivery', id: unread.newestId }, ...evidence]
  const advice = 'Look at the refused deliveries: the secret at the provider may be another one.'
  return {
    finding: find('source.refused_unread', sentence, about),
    advice: advise('source.compare_secret', advice, about),
  }
}

function sayConnection({ id, connection }: AskedSource, evidence: readonly Evidence[]): Part | undefined {
  if (!connection || connection.state === 'active') return undefined
  const broken = connection.state === 'broken'
  const what = broken ? 'is not as it must be' : 'was never proved by a delivery'
  const sentence = `The webhook that the source ${id} has at the repository ${what}.`
  const advice = `Ask the provider, and repair the webhook: signalbox source connect ${id}`
  return {
    finding: find(`source.webhook_${connection.state}`, sentence, evidence, { told: connection.reason }),
    advice: advise('source.repair', advice, evidence),
  }
}

function sayRecovery({ id, standing }: AskedSource, evidence: readonly Evidence[]): readonly Part[] {
  const { missing, gap, reason } = standing
  const many = missing === 1 ? '1 delivery that' : `${missing} deliveries that`
  const lost = `The provider of the source ${id} tells of ${many} did not arrive; Signalbox asks for them again.`
  const unknown = gap && `Deliveries of the source ${id} may be missing between ${gap.from} and ${gap.to}.`
  return [
    ...(missing > 0 ? [{ finding: find('source.missing', lost, evidence) }] : []),
    ...(unknown ? [{ finding: find('source.gap', unknown, evidence, { told: reason }) }] : []),
  ]
}

function sayRenamed({ id, renamedTo }: AskedSource, evidence: readonly Evidence[]): Part | undefined {
  if (renamedTo === null) return undefined
  const sentence = `The source ${id} knows the repository by another name since.`
  const advice = 'Ask again with the present name of the repository.'
  return {
    finding: find('source.renamed', sentence, evidence, { seen: renamedTo }),
    advice: advise('push.ask_present_name', advice, evidence),
  }
}
