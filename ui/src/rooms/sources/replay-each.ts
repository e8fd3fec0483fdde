/** What became of one delivery that ran through today's triggers. */
export interface Outcome {
  readonly id: string
  readonly result: string
  readonly reason: string
}

interface OfSource {
  readonly id: string
  readonly source_id: string
}

/** What became of all, as far as it is known, and what stood against the others. */
interface Replayed {
  readonly outcomes: readonly Outcome[]
  readonly error: Error | undefined
}

/**
 * Several sources are several calls, in turn. What one of them did stays told though another refuses, and is not done again:
 * `known` holds it.
 */
export async function replayEach(
  deliveries: readonly OfSource[],
  known: readonly Outcome[],
  replay: (ids: readonly string[], source: string) => Promise<readonly Outcome[]>,
): Promise<Replayed> {
  const done = new Map(known.map((outcome) => [outcome.id, outcome]))
  const outcomes = deliveries.flatMap(({ id }) => done.get(id) ?? [])
  const errors: Error[] = []
  const open = deliveries.filter(({ id }) => !done.has(id))
  for (const [source, group] of Map.groupBy(open, ({ source_id }) => source_id)) {
    const ids = group.map(({ id }) => id)
    try {
      outcomes.push(...(await replay(ids, source)))
    } catch (error) {
      errors.push(error instanceof Error ? error : new Error('It could not be replayed.'))
    }
  }
  return { outcomes, error: errors[0] }
}
