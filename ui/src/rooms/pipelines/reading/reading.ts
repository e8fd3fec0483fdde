import {
  DEFAULT_LIMITS,
  entriesOf,
  itemsOf,
  type Problem,
  ProblemList,
  parsePipeline,
  readSource,
  textOf,
} from '@signalbox/pipeline/document'
import type { Place, ReadStep } from './places.ts'

/** What a person wants to know of a document while it is written. */
export interface Reading {
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** The steps with every instance of a matrix; undefined while the document has problems. */
  readonly steps: readonly ReadStep[] | undefined
  /** In the order of the text. */
  readonly places: readonly Place[]
  readonly variables: Readonly<Record<string, string>>
  /** Environment name to stored secret. */
  readonly secrets: Readonly<Record<string, string>>
}

/** Reads a document as the control plane does at a save, but for what it names outside. */
export function readDocumentText(text: string): Reading {
  const result = parsePipeline(text)
  const places = placesOf(text)
  if (!result.ok) {
    const { problems, warnings } = result
    return { problems, warnings, steps: undefined, places, variables: {}, secrets: {} }
  }
  const { pipeline, graph, warnings } = result
  return {
    problems: [],
    warnings,
    places,
    variables: pipeline.variables,
    secrets: pipeline.secrets,
    steps: graph.steps.map((step) => ({
      name: step.name,
      depends_on: step.dependsOn,
      tasks: step.tasks.map(({ name, dependsOn }) => ({ name, depends_on: dependsOn })),
    })),
  }
}

function placesOf(text: string): readonly Place[] {
  const root = readSource(text, DEFAULT_LIMITS, new ProblemList())
  return itemsOf(entriesOf(root).get('steps')?.value).flatMap((item) => {
    const step = textOf(entriesOf(item).get('name')?.value)
    if (step === undefined) return []
    const tasks = itemsOf(entriesOf(item).get('tasks')?.value).flatMap((each) => {
      const task = textOf(entriesOf(each).get('name')?.value)
      return task === undefined ? [] : [{ step, task, line: each.line }]
    })
    return [{ step, line: item.line }, ...tasks]
  })
}
