/** A task or a step of a document, and the line that it begins in. */
export interface Place {
  readonly step: string
  readonly task?: string
  readonly line: number
}

export interface ReadTask {
  readonly name: string
  readonly depends_on: readonly string[]
}

export interface ReadStep extends ReadTask {
  readonly tasks: readonly ReadTask[]
}

/** What stands in a line: the last place that begins in it or above. */
export function placeAt(places: readonly Place[], line: number): Place | undefined {
  return places.findLast((place) => place.line <= line)
}

/** Where a step or a task of the graph stands. An instance of a matrix stands where its task does. */
export function lineOf(places: readonly Place[], step: string, task?: string): number | undefined {
  const ofStep = places.filter((place) => place.step === step)
  const exact = ofStep.find((place) => place.task === task)
  if (exact || task === undefined) return exact?.line
  const template = ofStep
    .filter((place) => place.task !== undefined && task.startsWith(`${place.task}-`))
    .toSorted((a, b) => (b.task?.length ?? 0) - (a.task?.length ?? 0))
  return template[0]?.line
}
