import type { Event } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'

/**
 * The events for which a repository with an override starts its pipeline, as a trigger without further conditions
 * would.
 */
const ACTIONS: ReadonlyMap<string, readonly string[] | null> = new Map([
  ['push', null],
  ['tag', null],
  ['pull_request', ['opened', 'reopened', 'synchronized']],
])

export interface OverrideMatch {
  readonly matched: boolean
  readonly firstFailed: string | null
  readonly conditions: readonly ConditionTrace[]
}

/** An override has no conditions of its own: pushes of branches and tags, and new commits of pull requests. */
export function matchOverride(event: Event): OverrideMatch {
  const actions = ACTIONS.get(event.kind)
  const conditions: ConditionTrace[] = [
    {
      condition: 'event',
      expected: [...ACTIONS.keys()].join(', '),
      seen: event.kind,
      passed: actions !== undefined,
    },
  ]
  if (actions) {
    const passed = actions.includes(event.action)
    conditions.push({ condition: 'action', expected: actions.join(', '), seen: event.action, passed })
  }
  const firstFailed = conditions.find((condition) => condition.passed === false)?.condition ?? null
  return { matched: firstFailed === null, firstFailed, conditions }
}

/** An override that names the repository of the event by another name that it has or had, with what to change. */
export function namedOtherwise(name: string, seen: string, current: string): ConditionTrace {
  const note =
    name.toLowerCase() === current.toLowerCase()
      ? `The event names the repository as it was called before ${current}.`
      : `The repository was ${name} before it was renamed or moved: make the override anew for ${current}, and delete this one.`
  return { condition: 'repository', expected: name, seen, passed: true, note }
}

/** Why an override that applies starts nothing for the event. */
export function describeNoMatch({ kind, action }: Pick<Event, 'kind' | 'action'>): string {
  return `An override starts nothing for ${kind} ${action}.`
}
