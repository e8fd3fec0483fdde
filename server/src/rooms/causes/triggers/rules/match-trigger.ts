import type { Event, EventKind } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'
import { type BoundValue, evaluateCondition } from '@signalbox/pipeline/expressions'
import type { CompiledTrigger } from './compile-trigger.ts'
import type { TriggerOwner } from './trigger.ts'

/** Where an event came from, as far as triggers care. */
export interface MatchContext {
  /** Null: posted to /v1/git/events. */
  readonly sourceId: string | null
  /** Whether this owner's triggers may use the source at all. */
  readonly visibleTo: (owner: TriggerOwner) => boolean
}

export interface Match {
  readonly matched: boolean
  /** The first condition that did not hold. */
  readonly firstFailed: ConditionTrace['condition'] | null
  readonly conditions: readonly ConditionTrace[]
  /** It matched only because the list of changed files is not complete: the whole list may say otherwise. */
  readonly pathsUndecided: boolean
}

/** With no `actions`: those for which people expect a run. Labels, assignments and edits would surprise. */
export const DEFAULT_ACTIONS: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  pull_request: ['opened', 'reopened', 'synchronized'],
  pull_request_comment: ['created'],
  release: ['published'],
}

/**
 * Whether a trigger starts for an event, condition by condition in the order in which a person would check them.
 * `if` is evaluated only when everything else holds; the cost of a match does not depend on other triggers.
 */
export function matchTrigger(
  compiled: CompiledTrigger,
  event: Event,
  bound: () => BoundValue,
  context: MatchContext,
): Match {
  const { trigger } = compiled
  const conditions: ConditionTrace[] = []
  if (!trigger.enabled) {
    conditions.push({ condition: 'enabled', expected: 'true', seen: 'false', passed: false })
  }
  const source = sourceCondition(compiled, context)
  if (source) conditions.push(source)
  const repository = event.repository.full_name
  conditions.push({
    condition: 'repository',
    expected: listed(trigger.repositories),
    seen: repository,
    passed: compiled.repositories.matches(repository),
  })
  const kinds: readonly string[] = trigger.events
  conditions.push({
    condition: 'event',
    expected: listed(trigger.events),
    seen: event.kind,
    passed: kinds.includes(event.kind),
  })
  const action = actionCondition(compiled, event)
  if (action) conditions.push(action)
  const ref = refCondition(compiled, event)
  if (ref) conditions.push(ref)
  const paths = pathsCondition(compiled, event)
  if (paths) conditions.push(paths)
  if (compiled.condition) {
    const soFar = conditions.every((condition) => condition.passed)
    conditions.push(ifCondition(compiled, soFar ? bound() : undefined))
  }
  const firstFailed = conditions.find((condition) => condition.passed === false)?.condition ?? null
  const matched = firstFailed === null
  return { matched, firstFailed, conditions, pathsUndecided: matched && arePathsUndecided(compiled, event) }
}

function sourceCondition({ trigger }: CompiledTrigger, context: MatchContext): ConditionTrace | undefined {
  const seen = context.sourceId ?? 'a posted event'
  if (trigger.sourceLostAt !== null) {
    return {
      condition: 'source',
      expected: 'a source that exists',
      seen,
      passed: false,
      note: 'The source of this trigger was deleted; name another one.',
    }
  }
  if (trigger.sourceId !== null && trigger.sourceId !== context.sourceId) {
    return { condition: 'source', expected: trigger.sourceId, seen, passed: false }
  }
  if (!context.visibleTo(trigger.owner)) {
    return {
      condition: 'source',
      expected: 'a source that the owner of the trigger may see',
      seen,
      passed: false,
      note: `${trigger.owner.name} may not see this source, and it is not shared.`,
    }
  }
  if (trigger.sourceId === null) return undefined
  return { condition: 'source', expected: trigger.sourceId, seen, passed: true }
}

function actionCondition({ trigger }: CompiledTrigger, event: Event): ConditionTrace | undefined {
  const wanted = trigger.actions.length > 0 ? trigger.actions : DEFAULT_ACTIONS[event.kind]
  if (!wanted) return undefined
  return {
    condition: 'action',
    expected: listed(wanted),
    seen: event.action,
    passed: wanted.includes(event.action),
    ...(trigger.actions.length === 0 ? { note: 'The trigger names no actions; these are the usual ones.' } : {}),
  }
}

/** Branches alone leave tags out and the other way round, as a reader of such a list expects; with both, either will do. */
function refCondition({ trigger, branches, tags }: CompiledTrigger, event: Event): ConditionTrace | undefined {
  if (!branches && !tags) return undefined
  const expected = [
    ...(branches ? [`branches ${listed(trigger.branches)}`] : []),
    ...(tags ? [`tags ${listed(trigger.tags)}`] : []),
  ].join(' or ')
  const trace = (seen: string | null, passed: boolean, note?: string): ConditionTrace => ({
    condition: 'ref',
    expected,
    seen,
    passed,
    ...(note === undefined ? {} : { note }),
  })
  if (event.tag !== null) {
    if (!tags) return trace(`tag ${event.tag}`, false, 'The trigger names branches only.')
    return trace(`tag ${event.tag}`, tags.matches(event.tag))
  }
  if (event.branch !== null) {
    if (!branches) return trace(`branch ${event.branch}`, false, 'The trigger names tags only.')
    return trace(`branch ${event.branch}`, branches.matches(event.branch))
  }
  return trace(null, false, 'The event has neither a branch nor a tag.')
}

/** Never says "no" by a list that the provider may have cut: then it runs, and says so. */
function pathsCondition({ trigger, paths }: CompiledTrigger, event: Event): ConditionTrace | undefined {
  if (!paths) return undefined
  const known = event.changed_paths ?? []
  const hit = known.find((path) => paths.matches(path))
  const base = { condition: 'paths', expected: listed(trigger.paths) } as const
  if (hit !== undefined) return { ...base, seen: cut(hit), passed: true }
  if (!event.changed_paths_complete) {
    const seen = event.changed_paths === null ? 'unknown' : `${known.length} of an unknown number of changed files`
    return { ...base, seen, passed: true, note: 'The list of changed files is not complete, so the trigger runs.' }
  }
  return { ...base, seen: known.length === 0 ? 'no changed files' : shortList(known), passed: false }
}

function arePathsUndecided({ paths }: CompiledTrigger, event: Event): boolean {
  if (!paths || event.changed_paths_complete) return false
  return !event.changed_paths?.some((path) => paths.matches(path))
}

function ifCondition({ condition, trigger }: CompiledTrigger, event: BoundValue | undefined): ConditionTrace {
  const base = { condition: 'if', expected: trigger.condition ?? '' } as const
  if (event === undefined || !condition) return { ...base, seen: null, passed: null }
  const result = evaluateCondition(condition, { event })
  if (!result.ok) return { ...base, seen: null, passed: false, note: `It cannot be evaluated: ${cut(result.message)}` }
  return { ...base, seen: String(result.value), passed: result.value }
}

const MAX_TEXT = 300

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1).toWellFormed()}…` : text
}

function listed(values: readonly string[]): string {
  return cut(values.join(', '))
}

function shortList(values: readonly string[]): string {
  const shown = values.slice(0, 3).map(cut).join(', ')
  return values.length > 3 ? `${shown} and ${values.length - 3} more` : shown
}
