import type { Event } from '@signalbox/contracts/event'
import type { ConditionTrace } from '@signalbox/contracts/events'

/** What a repository with an override starts its pipeline for: what a trigger without further conditions would. */
const ACTIONS: ReadonlyMap<string, readonly string[] | null> = new Map([
  ['push', null],
  ['tag', null],
  ['pull_request', ['opened', 'reopened', 'synchronized']],
])

/** Where an event came from, as far as overrides care. */
export interface OverridableSource<Owner> {
  readonly visibleTo: (owner: Owner) => boolean
  readonly feeds?: ((teamPath: string) => boolean) | undefined
  readonly overriddenBy?: ((owner: Owner) => boolean) | undefined
}

/**
 * Why an override does not decide about events of the source, with what to do; undefined where it does. Its owner may
 * change the source, for anybody can list a repository in one of their own and override it then, and the source speaks for
 * the override's team.
 */
export function whyNotApplied<Owner extends { readonly name: string }>(
  override: { readonly owner: Owner; readonly teamPath: string },
  source: OverridableSource<Owner>,
): string | undefined {
  const { owner, teamPath } = override
  if (source.feeds?.(teamPath) === false) {
    const whose = `the source speaks for its own team and those below, not for ${teamPath}`
    return `It does not apply: ${whose}. Share the source (its owner must be allowed to start runs of ${teamPath}), or name a pipeline of its team.`
  }
  if (source.visibleTo(owner) && source.overriddenBy?.(owner) !== false) return undefined
  return `It does not apply: ${owner.name}, who wrote it, may not change the source. Somebody who may has to write it again.`
}

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

/** Why an override that applies starts nothing for the event. */
export function describeNoMatch({ kind, action }: Pick<Event, 'kind' | 'action'>): string {
  return `An override starts nothing for ${kind} ${action}.`
}
