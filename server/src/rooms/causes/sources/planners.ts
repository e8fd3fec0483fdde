import { definePlanner, finding, listIn, type Planner, precondition, textIn } from '#platform/planning'

/**
 * What a replay would start. It is not rolled back: its dry run judges and describes it, as the planner may see it. What the
 * plan counts on, and who confirms, depends on all rules.
 */
export function deliveryPlanners(foresee: NonNullable<Planner['foresee']>): readonly Planner[] {
  return [
    definePlanner({
      operation: 'replayDelivery',
      isAsked: true,
      foresee,
      ask: ({ params, query, body }) => ({
        operation: 'replayDelivery',
        parts: { params, query: { ...query, dry_run: 'true' }, body },
      }),
      describe({ call, asked, foreseen }) {
        const id = call.params['deliveryID'] ?? ''
        const evidence = [{ kind: 'delivery' as const, id }]
        const starts = startsOf(asked)
        const effects = starts.map(({ pipeline, triggerId }) =>
          finding('delivery.starts', `It starts ${pipeline}.`, [
            ...evidence,
            ...(triggerId === undefined ? [] : [{ kind: 'trigger' as const, id: triggerId }]),
          ]),
        )
        const isKnown = foreseen?.needsPerson === undefined
        const told = isKnown
          ? 'the triggers of today'
          : 'those triggers of today that you may see; others may start runs'
        const nothing = finding('delivery.starts_nothing', `It starts nothing with ${told}.`, evidence)
        return {
          target: `delivery ${id}`,
          effects: effects.length > 0 ? effects : [nothing],
          scopes: [],
          teams: [...new Set(starts.flatMap(({ teams }) => teams))],
          starts: foreseen?.starts ?? [],
          needsPerson: foreseen?.needsPerson,
        }
      },
      preconditions: ({ foreseen }) => [precondition('starts', foreseen?.digest)],
    }),
  ]
}

/** The outcomes of rules by which a run begins or waits. */
const STARTING: readonly (string | undefined)[] = ['started', 'held', 'deferred']

function startsOf(asked: unknown) {
  const trace = typeof asked === 'object' && asked !== null && 'trace' in asked ? asked.trace : undefined
  return listIn(trace, 'events')
    .flatMap((event) => listIn(event, 'triggers'))
    .filter((trigger) => STARTING.includes(textIn(trigger, 'outcome')))
    .map((trigger) => {
      const [pipeline, teamPath] = [textIn(trigger, 'pipeline'), textIn(trigger, 'team_path')]
      return {
        pipeline: pipeline ?? 'a pipeline',
        triggerId: textIn(trigger, 'trigger_id'),
        // Whatever the rules say by then: any environment of the teams may be reached.
        teams: [teamPath, pipeline?.slice(0, pipeline.lastIndexOf('/'))].filter((team) => team !== undefined),
      }
    })
}
