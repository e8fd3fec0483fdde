import {
  definePlanner,
  finding,
  type Planner,
  precondition,
  type Rehearsed,
  startsIn,
  textIn,
} from '#platform/planning'

/** What a write of an override would do. Its repository stands in the target: no sentence quotes it. */
export function overridePlanners(foreseeDelete: NonNullable<Planner['foresee']>): readonly Planner[] {
  return [
    definePlanner({
      operation: 'replaceOverride',
      describe(rehearsed) {
        const { before, after, evidence, target } = seen(rehearsed)
        const starts = `Events of the repository start ${after.pipeline} in ${after.scope}, whatever its manifest and the triggers say.`
        const instead = `Until now they start ${before.pipeline} in ${before.scope}, by the override that is replaced.`
        return {
          target,
          effects: [
            finding('override.decides', starts, evidence),
            ...(before.pipeline === undefined ? [] : [finding('override.is_replaced', instead, evidence)]),
          ],
          scopes: [before.scope, after.scope].filter((scope) => scope !== undefined),
          starts: startsOf(rehearsed),
        }
      },
      preconditions: (rehearsed) => [precondition('updated_at', seen(rehearsed).before.updatedAt)],
    }),
    definePlanner({
      operation: 'deleteOverride',
      foresee: foreseeDelete,
      describe(rehearsed) {
        const { before, evidence, target } = seen(rehearsed)
        const sentence = `Events of the repository no longer start ${before.pipeline}: its manifest and the triggers decide again.`
        return {
          target,
          effects: [finding('override.is_deleted', sentence, evidence)],
          scopes: before.scope === undefined ? [] : [before.scope],
          // What it outranked so far becomes effective.
          starts: [...startsOf(rehearsed), ...(rehearsed.foreseen?.starts ?? [])],
          patterns: rehearsed.foreseen?.patterns ?? [],
          needsPerson: rehearsed.foreseen?.needsPerson,
        }
      },
      preconditions: (rehearsed) => [precondition('updated_at', seen(rehearsed).before.updatedAt)],
    }),
  ]
}

function startsOf({ deeds: [deed] }: Rehearsed) {
  return startsIn(deed?.before, deed?.after)
}

function seen({ call, deeds: [deed] }: Rehearsed) {
  const state = (value: unknown) => ({
    pipeline: textIn(value, 'pipeline'),
    scope: textIn(value, 'scope'),
    updatedAt: textIn(value, 'updated_at'),
  })
  return {
    before: state(deed?.before),
    after: state(deed?.after),
    evidence: deed === undefined ? [] : [{ kind: 'team' as const, id: deed.teamPath }],
    target: `repository ${call.params['repoOwner'] ?? ''}/${call.params['repoName'] ?? ''}`,
  }
}
