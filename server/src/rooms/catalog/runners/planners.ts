import {
  type Deed,
  definePlanner,
  digestOf,
  fieldOf,
  finding,
  listIn,
  type Planner,
  precondition,
  textIn,
} from '#platform/planning'

/** What a change of a runner would do. */
export const runnerPlanners: readonly Planner[] = [
  definePlanner({
    operation: 'updateRunner',
    describe: ({ deeds: [deed] }) => ({
      target: `runner ${textIn(deed?.before, 'name') ?? ''}`,
      effects: deed === undefined ? [] : effectsOf(deed),
      scopes: [],
      patterns: deed !== undefined && bringsTasks(deed) ? [scopesOf(deed.before), scopesOf(deed.after)] : [],
    }),
    preconditions: ({ deeds: [deed] }) => [precondition('state', digestOf(deed?.before))],
  }),
]

/** Whether tasks may go elsewhere than before. One that is disabled or drains gets fewer. */
function bringsTasks({ before, after }: Deed): boolean {
  const differs = (field: string): boolean => digestOf(fieldOf(before, field)) !== digestOf(fieldOf(after, field))
  const becomes = (field: string, value: string): boolean => differs(field) && textIn(after, field) === value
  return differs('scopes') || differs('labels') || becomes('enabled', 'true') || becomes('draining', 'false')
}

function scopesOf(state: unknown): readonly string[] {
  return listIn(state, 'scopes').filter((scope) => typeof scope === 'string')
}

function effectsOf({ before, after, resource }: Deed) {
  const name = textIn(before, 'name') ?? ''
  const becomes = (field: string): string | undefined =>
    textIn(before, field) === textIn(after, field) ? undefined : textIn(after, field)
  const differs = (field: string): boolean => digestOf(fieldOf(before, field)) !== digestOf(fieldOf(after, field))
  const told: (readonly [string, string | false])[] = [
    ['runner.is_enabled', becomes('enabled') === 'true' && `${name} is enabled: it gets new tasks again.`],
    ['runner.is_disabled', becomes('enabled') === 'false' && `${name} is disabled: it gets no new tasks.`],
    ['runner.drains', becomes('draining') === 'true' && `${name} drains: it finishes its tasks and takes no new ones.`],
    ['runner.takes_tasks', becomes('draining') === 'false' && `${name} drains no more: it takes new tasks.`],
    ['runner.is_renamed', differs('name') && `${name} gets another name: ${textIn(after, 'name') ?? ''}.`],
    ['runner.serves', differs('scopes') && `${name} serves other scopes; tasks in hand go on.`],
    ['runner.labels', differs('labels') && `${name} has other labels; tasks in hand go on.`],
  ]
  const evidence = [{ kind: 'runner' as const, id: resource.id }]
  const effects = told.flatMap(([code, sentence]) => (sentence === false ? [] : [finding(code, sentence, evidence)]))
  return effects.length > 0 ? effects : [finding('runner.stays', `${name} stays as it is.`, evidence)]
}
