import { definePlanner, finding, type Planner, precondition, type Rehearsed, textIn } from '#platform/planning'

/** What a save would do. A document with errors is refused when it is planned, with all of them. */
export function pipelinePlanners(foresee: NonNullable<Planner['foresee']>): readonly Planner[] {
  return [
    definePlanner({
      operation: 'createPipeline',
      foresee,
      describe: (rehearsed) => {
        const { identifier, evidence } = saved(rehearsed)
        const sentence = `The pipeline ${identifier} is created. What names it already may start it.`
        return {
          target: `pipeline ${identifier}`,
          effects: [finding('pipeline.is_created', sentence, evidence)],
          ...reachedBy(rehearsed),
        }
      },
      preconditions: () => [],
    }),
    definePlanner({
      operation: 'replacePipeline',
      foresee,
      ask: ({ params }) => ({ operation: 'getPipeline', parts: { params } }),
      describe(rehearsed) {
        const { identifier, evidence, before, after } = saved(rehearsed)
        const saves = `Version ${after} of ${identifier} is saved, in place of version ${before}.`
        const differs = differenceOf(textIn(rehearsed.asked, 'document'), textIn(rehearsed.call.body, 'document'))
        return {
          target: `pipeline ${identifier}`,
          effects: [
            finding('pipeline.is_saved', saves, evidence),
            finding('pipeline.differs', differs, evidence),
            finding('pipeline.queued_keep', 'Runs that are queued already keep the version that they have.', evidence),
          ],
          ...reachedBy(rehearsed),
        }
      },
      preconditions: (rehearsed) => [precondition('pipeline_version', saved(rehearsed).before)],
    }),
  ]
}

/** The environments of its team, what its steps name, and where stored rules and parents start it. */
function reachedBy(rehearsed: Rehearsed) {
  const { foreseen } = rehearsed
  return {
    scopes: (foreseen?.starts ?? []).map(({ scope }) => scope),
    teams: saved(rehearsed).team,
    documents: documentsIn(rehearsed),
    needsPerson: foreseen?.needsPerson,
  }
}

function documentsIn({ call }: Rehearsed): readonly string[] {
  const document = textIn(call.body, 'document')
  return document === undefined ? [] : [document]
}

function saved({ deeds: [deed] }: Rehearsed) {
  return {
    identifier: textIn(deed?.after, 'identifier') ?? '',
    before: textIn(deed?.before, 'version'),
    after: textIn(deed?.after, 'version'),
    evidence: deed === undefined ? [] : [{ kind: 'pipeline' as const, id: deed.resource.id }],
    team: deed === undefined ? [] : [deed.teamPath],
  }
}

/** In numbers of lines: the lines themselves are in the arguments. */
function differenceOf(before: string | undefined, after: string | undefined): string {
  if (before === undefined || after === undefined) return 'The document is replaced as a whole.'
  if (before === after) return 'The document stays the same.'
  const [gone, added] = [less(linesOf(before), linesOf(after)), less(linesOf(after), linesOf(before))]
  return `${linesIn(added)} of the new document ${added === 1 ? 'is' : 'are'} not in the old one, and ${linesIn(gone)} of the old one ${gone === 1 ? 'goes' : 'go'}.`
}

function linesIn(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trimEnd())
}

/** How many lines of one text have no equal in the other. */
function less(lines: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  }).length
}
