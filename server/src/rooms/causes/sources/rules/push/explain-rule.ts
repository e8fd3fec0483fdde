import type { ConditionTrace, TriggerTrace } from '@signalbox/contracts/events'
import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { PushOutcome } from '@signalbox/contracts/sources'
import { find, isOwnName, overrideOf, type Telling } from './telling.ts'

/** Where a run is, as far as the reader may see it. */
export interface SeenRun {
  readonly status: string
  /** Why it may not begin yet. */
  readonly withheld: string | null
}

export interface RuleFacts {
  readonly repository: string
  /** The event and its delivery. */
  readonly evidence: readonly Evidence[]
  /** By their ids; those that the reader may not see are not in it. */
  readonly runs: ReadonlyMap<string, SeenRun>
}

/** Why one rule started a run for an event, or why not: the first condition that did not hold. */
export function explainRule(trace: TriggerTrace, facts: RuleFacts): Telling {
  const name = nameOf(trace)
  const { layer, trigger_id, team_path } = trace
  const rule = { layer, trigger_id, name: trace.name, team_path }
  const evidence = [...ruleEvidence(trace, facts), ...facts.evidence]
  const { reason: told } = trace
  const say = (outcome: PushOutcome, code: string, rest: string, whatToDo: readonly Finding[] = []): Telling => ({
    outcome,
    findings: [find(code, `${name} ${rest}`, evidence, { rule, told })],
    whatToDo,
  })
  switch (trace.outcome) {
    case 'started':
      return say('started', 'push.started', `started ${sayRun(trace, facts)}`)
    case 'held':
      return explainHeld(trace, facts, say)
    case 'canceled_runs':
      return say('started', 'push.canceled_runs', 'took the comment, which cancels its runs of the pull request.')
    case 'duplicate':
      return say('duplicate', 'push.duplicate', 'holds, but another delivery of the same change had started its run.')
    case 'deferred':
      return say('waiting', 'push.deferred', 'is decided once the repository or its provider has answered.')
    case 'outranked':
      return say('nothing', 'push.outranked', 'holds, but a higher layer decides about the repository.')
    case 'refused':
      return say('nothing', 'push.refused', 'holds, but its run may not start.', [
        advise('push.mend_refusal', `Mend what keeps the run from starting, then replay the delivery.`, evidence),
      ])
    case 'not_matched':
      return explainMiss(trace, { name, evidence, rule })
  }
}

type Say = (outcome: PushOutcome, code: string, rest: string, whatToDo?: readonly Finding[]) => Telling

function explainHeld(trace: TriggerTrace, facts: RuleFacts, say: Say): Telling {
  const run = facts.runs.get(trace.run_id ?? '')
  if (run && run.withheld !== 'fork_approval') {
    return say('started', 'push.started', `made ${sayRun(trace, facts)} It was held, as the change is from a fork.`)
  }
  const id = trace.run_id ?? ''
  return say('held', 'push.held', `made run ${id}, which waits until a member approves the commit of the fork.`, [
    advise('push.approve', `Look at the commit, then approve it: signalbox run approve ${id}`, [{ kind: 'run', id }]),
  ])
}

function sayRun({ run_id: id }: TriggerTrace, { runs }: RuleFacts): string {
  const run = runs.get(id ?? '')
  return run ? `run ${id}, which is ${run.status}.` : `run ${id}.`
}

interface Missed {
  readonly name: string
  readonly evidence: readonly Evidence[]
  readonly rule: { readonly layer: TriggerTrace['layer']; trigger_id: string | null; name: string; team_path: string }
}

function explainMiss(trace: TriggerTrace, { name, evidence, rule }: Missed): Telling {
  const failed = trace.conditions.find(({ condition }) => condition === trace.first_failed)
  if (!failed) {
    const findings = [
      find('push.not_matched', `${name} does not take the event.`, evidence, { rule, told: trace.reason }),
    ]
    return { outcome: 'nothing', findings, whatToDo: [] }
  }
  const { condition, expected, seen } = failed
  const missed = trace.layer === 'override' ? OVERRIDE_MISSES[condition] : undefined
  const { says, advice } = missed ?? MISSES[condition]
  const told = failed.note ?? trace.reason
  const code = `trigger.${condition}_differs`
  const finding = find(missed ? 'push.override_not_in_effect' : code, `${name} ${says}.`, evidence, {
    rule,
    expected,
    seen,
    told,
  })
  const whatToDo = advice === null ? [] : [advise(`trigger.change_${condition}`, advice, evidence)]
  return { outcome: 'nothing', findings: [finding], whatToDo }
}

interface Miss {
  readonly says: string
  /** Null: nothing is wrong. */
  readonly advice: string | null
}

const MISSES: Readonly<Record<ConditionTrace['condition'], Miss>> = {
  enabled: { says: 'is disabled', advice: 'Enable the trigger, then replay the delivery.' },
  source: {
    says: 'does not take events of this source',
    advice: 'Name the source in the trigger, or share the source with its team.',
  },
  repository: {
    says: 'does not name this repository',
    advice: 'Compare its `repositories` with the name of the repository; the last pattern that fits decides.',
  },
  event: { says: 'does not take events of this kind', advice: 'Add the kind of the event to its `events`.' },
  action: { says: 'does not take this action', advice: 'Add the action to its `actions`.' },
  ref: {
    says: 'does not take this branch or tag',
    advice: 'Compare its `branches` and `tags` with the ref; one alone leaves the other kind out.',
  },
  draft: {
    says: 'does not fit whether the pull request is a draft',
    advice: 'Change its `draft`, or the pull request.',
  },
  labels: { says: 'asks for other labels', advice: 'Label the pull request, or change its `labels`.' },
  command: {
    says: 'asks for a command that does not begin the comment',
    advice: 'Begin the comment with its command.',
  },
  commenter: {
    says: 'does not take comments of this author',
    advice: 'Change its `commenters`, or let a member comment.',
  },
  skip_ci: {
    says: 'obeys the message of the commit, which asks for no CI',
    advice: 'Push a commit without that mark, or set its `skip_ci` to false.',
  },
  paths: {
    says: 'asks for changed files that the event does not have',
    advice: 'Compare its `paths` with the files that changed.',
  },
  if: {
    says: 'has an `if` that does not hold',
    advice: 'Try its `if` on kept deliveries: signalbox trigger simulate.',
  },
}

const OVERRIDE_MISSES: Readonly<Partial<Record<ConditionTrace['condition'], Miss>>> = {
  source: {
    says: 'is not in effect: the source of the event does not vouch for it',
    advice: 'Let a source of the team of the override admit the repository.',
  },
}

/** The name where it is one of ours: an entry of a manifest is named in its repository. */
function nameOf({ layer, team_path: path, name, trigger_id: id }: TriggerTrace): string {
  const team = isOwnName(path) ? ` of ${path}` : ''
  switch (layer) {
    case 'override':
      return `The override${team}`
    case 'repository_manifest':
      return `An entry of the manifest${team}`
    case 'service_trigger':
      return isOwnName(path) && isOwnName(name) ? `The trigger ${path}/${name}` : `The trigger ${id ?? ''}`
  }
}

function ruleEvidence({ layer, trigger_id: id, run_id: run }: TriggerTrace, facts: RuleFacts): readonly Evidence[] {
  const ofRule: readonly Evidence[] = id === null ? [] : [{ kind: 'trigger', id }]
  const ofOverride = layer === 'override' ? overrideOf(facts.repository) : []
  const ofRun: readonly Evidence[] = run === null ? [] : [{ kind: 'run', id: run }]
  return [...ofRun, ...ofRule, ...ofOverride]
}

export function advise(code: string, sentence: string, evidence: readonly Evidence[]): Finding {
  return { code, sentence, evidence: [...evidence] }
}
