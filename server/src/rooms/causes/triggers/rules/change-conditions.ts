import { type Event, isAboutPullRequest } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'
import type { Effort } from '@signalbox/pipeline/patterns'
import type { CompiledTrigger } from './compile-trigger.ts'
import { cut, listed, shortList } from './trace-text.ts'

/** Branches alone leave tags out and the other way round, as a reader of such a list expects; with both, either will do. */
export function refCondition(
  { trigger, branches, tags }: CompiledTrigger,
  event: Event,
  effort: Effort,
): ConditionTrace | undefined {
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
    return trace(`tag ${event.tag}`, tags.matches(event.tag, effort))
  }
  if (event.branch !== null) {
    if (!branches) return trace(`branch ${event.branch}`, false, 'The trigger names tags only.')
    return trace(`branch ${event.branch}`, branches.matches(event.branch, effort))
  }
  return trace(null, false, 'The event has neither a branch nor a tag.')
}

export interface PathsDecision {
  readonly trace: ConditionTrace
  /** The condition holds only because the list is not complete. */
  readonly undecided: boolean
}

/**
 * An incomplete list of files never fails the condition: the trigger starts, and the trace says why the list is incomplete.
 * `because` is the reason why the list could not be completed.
 */
export function decidePaths(
  { trigger, paths }: CompiledTrigger,
  event: Event,
  effort: Effort,
  because: string | undefined,
): PathsDecision | undefined {
  if (!paths) return undefined
  const known = event.changed_paths ?? []
  const hit = known.find((path) => paths.matches(path, effort))
  const base = { condition: 'paths', expected: listed(trigger.paths) } as const
  if (hit !== undefined) return { trace: { ...base, seen: cut(hit), passed: true }, undecided: false }
  if (effort.left < 0) {
    const note = 'Holding so many changed files against these patterns takes too long, so the trigger runs.'
    return { trace: { ...base, seen: `${known.length} changed files`, passed: true, note }, undecided: false }
  }
  if (!event.changed_paths_complete) {
    const seen = event.changed_paths === null ? 'unknown' : `${known.length} of an unknown number of changed files`
    const note = `The list of changed files is not complete, so the trigger runs. ${because ?? whyIncomplete(event)}`
    return { trace: { ...base, seen, passed: true, note }, undecided: true }
  }
  const seen = known.length === 0 ? 'no changed files' : shortList(known)
  return { trace: { ...base, seen, passed: false }, undecided: false }
}

/** The first reason that applies, as a sentence. */
function whyIncomplete(event: Event): string {
  if (isAboutPullRequest(event.kind)) {
    return 'The provider sends no list of the files that a pull request changes.'
  }
  if (event.kind !== 'push') return `An event of the kind ${event.kind} comes without a list of changed files.`
  if (event.action === 'created' || event.before === null) {
    return 'The commit of the branch before this push is not known: the branch is new, or the provider does not say.'
  }
  if (event.forced === true) return 'The branch was moved by force: the commits listed are not all that changed.'
  if (event.changed_paths === null) return 'The provider sends no list of changed files.'
  return 'The provider does not list every changed file of a push of this size.'
}
