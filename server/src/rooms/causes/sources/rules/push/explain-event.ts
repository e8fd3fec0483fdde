import type { EventTrace, ManifestTrace } from '@signalbox/contracts/events'
import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { PushFinding } from '@signalbox/contracts/sources'
import { advise, explainRule, type SeenRun } from './explain-rule.ts'
import { bestOf, byOutcome, find, isOwnName, type Telling } from './telling.ts'

/** Rules of one event that are told one by one. */
const MOST_RULES = 10

export interface EventFacts {
  /** As the reader may see it. */
  readonly trace: EventTrace
  /** Rules that the reader may not see. */
  readonly hiddenRules: number
  /** The delivery; of a posted event none. */
  readonly evidence: readonly Evidence[]
  readonly runs: ReadonlyMap<string, SeenRun>
}

/** What an event started, or why it started nothing: the layer that decided, each rule, the manifest, near misses. */
export function explainEvent({ trace, hiddenRules, evidence: ofDelivery, runs }: EventFacts): Telling {
  const evidence: readonly Evidence[] = [{ kind: 'event', id: trace.event_id }, ...ofDelivery]
  const rules = byOutcome(
    trace.triggers.map((rule) => explainRule(rule, { repository: trace.repository, evidence, runs })),
  )
  const shown = rules.slice(0, MOST_RULES)
  const manifest = trace.manifest ? explainManifest(trace.manifest, evidence) : NOTHING
  const nothing = rules.length === 0 ? [sayNoRule(hiddenRules, evidence)] : []
  const misses = (trace.near_misses ?? []).map((miss) => {
    const { trigger_id: id, team_path: path, name, pattern, reason } = miss
    const called = isOwnName(path) && isOwnName(name) ? `${path}/${name}` : id
    const about: readonly Evidence[] = [{ kind: 'trigger', id }]
    const rule = { layer: 'service_trigger' as const, trigger_id: id, name, team_path: path }
    const sentence = `The trigger ${called} nearly names the repository: one of its patterns does not fit.`
    return find('push.near_miss', sentence, about, { rule, expected: pattern, told: reason })
  })
  const outcome = bestOf([...rules.map((rule) => rule.outcome), ...manifest.outcomes, 'nothing'])
  const override = sayOverride(trace, evidence)
  const more = rules.length > shown.length ? [sayMore(rules.length - shown.length, evidence)] : []
  const told = shown.flatMap(({ findings }) => findings)
  // Where something started, what the other rules lack is no fault.
  const isSettled = outcome === 'started' || outcome === 'held' || outcome === 'duplicate'
  const advice = isSettled ? shown.filter((rule) => rule.outcome === outcome) : shown
  return {
    outcome,
    findings: [...override, ...told, ...more, ...nothing, ...manifest.findings, ...misses],
    whatToDo: [
      ...advice.flatMap(({ whatToDo }) => whatToDo),
      ...manifest.whatToDo,
      ...(nothing.length > 0 && hiddenRules === 0 ? [sayMakeRule(misses, evidence)] : []),
    ],
  }
}

/** An override outranks all else, and people often forget that there is one. */
function sayOverride({ triggers }: EventTrace, evidence: readonly Evidence[]): readonly PushFinding[] {
  const decides = triggers.some(({ layer, first_failed: failed }) => layer === 'override' && failed !== 'source')
  if (!decides) return []
  const sentence = 'An override decides about the repository; its manifest and the triggers are not asked.'
  return [find('push.override_decides', sentence, evidence)]
}

function sayMore(count: number, evidence: readonly Evidence[]): PushFinding {
  const sentence = `${count} more ${count === 1 ? 'rule was' : 'rules were'} considered, farther from a start.`
  return find('push.more_rules', sentence, evidence)
}

function sayNoRule(hidden: number, evidence: readonly Evidence[]): PushFinding {
  const sentence =
    hidden === 0 ? 'No override and no trigger names the repository.' : 'No rule that you may see names the repository.'
  return find('push.no_rule', sentence, evidence)
}

function sayMakeRule(misses: readonly PushFinding[], evidence: readonly Evidence[]): Finding {
  return misses.length > 0
    ? advise('push.mend_pattern', 'Correct the pattern of the trigger that nearly names the repository.', evidence)
    : advise('push.make_trigger', 'Make a trigger that names the repository, or a manifest in it.', evidence)
}

const NOTHING = { outcomes: [], findings: [], whatToDo: [] } as const

function explainManifest({ state, reason, problems }: ManifestTrace, evidence: readonly Evidence[]) {
  const [first] = problems
  switch (state) {
    case 'read':
      return NOTHING
    case 'pending': {
      const sentence = 'The manifest of the repository is being read; its entries are decided then.'
      const findings = [find('manifest.pending', sentence, evidence, { told: reason })]
      return { outcomes: ['waiting'] as const, findings, whatToDo: [] }
    }
    case 'absent': {
      const findings = [find('manifest.absent', 'The repository has no manifest at that commit.', evidence)]
      return { outcomes: [], findings, whatToDo: [] }
    }
    case 'unreadable': {
      const sentence = 'The manifest of the repository could not be read, so that its entries started nothing.'
      const findings = [find('manifest.unreadable', sentence, evidence, { told: reason })]
      const advice = 'Let the source read the repository: its read credential, and `read_repository`.'
      return { outcomes: [], findings, whatToDo: [advise('manifest.let_read', advice, evidence)] }
    }
    case 'invalid': {
      const count = problems.length === 1 ? '1 fault' : `${problems.length} faults`
      const sentence = `The manifest of the repository has ${count}, so that its entries started nothing.`
      const told = first ? `${first.line}:${first.column} ${first.message}` : reason
      const findings = [find('manifest.invalid', sentence, evidence, { told })]
      return {
        outcomes: [],
        findings,
        whatToDo: [advise('manifest.mend', 'Mend the manifest, and push again.', evidence)],
      }
    }
  }
}
