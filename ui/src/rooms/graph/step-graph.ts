// What a graph is drawn from: the steps of a run, or those of a document. A run's answer has this shape.

export interface GraphTask {
  readonly name: string
  readonly depends_on: readonly string[]
  readonly status?: string
}

export interface GraphStep {
  readonly name: string
  readonly depends_on: readonly string[]
  readonly status?: string
  readonly tasks: readonly GraphTask[]
}

/** A step, or one of its tasks. */
export interface GraphPlace {
  readonly step: string
  readonly task?: string | undefined
}

/** How many tasks have a status. */
export type Tally = readonly (readonly [status: string, count: number])[]

/** What a step shows: one task, or the instances of a matrix drawn as one. */
export interface GraphItem {
  /** `<step>/<task>`; of instances `<step>/<name>-*`. */
  readonly id: string
  readonly step: string
  readonly label: string
  readonly tasks: readonly GraphTask[]
}

export interface ShownStep {
  /** The step's name. */
  readonly id: string
  readonly status: string | undefined
  /** The steps that it depends on. */
  readonly after: readonly string[]
  readonly tasks: readonly GraphTask[]
  /** Empty where the step is folded. */
  readonly items: readonly GraphItem[]
  readonly isFolded: boolean
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
}

/** A graph with its matrices, and large steps, folded. */
export interface ShownGraph {
  readonly steps: readonly ShownStep[]
  /** Between steps. */
  readonly stepEdges: readonly GraphEdge[]
  /** Between the items of one step. */
  readonly itemEdges: readonly GraphEdge[]
}

/** A matrix of fewer instances is drawn whole. */
const SMALL_MATRIX = 5
/** With more items than this, steps are folded. */
const MANY_ITEMS = 120
/** So many nodes can be unfolded at once. */
export const MOST_NODES = 500

/** Which parts a person has unfolded: ids of items and steps, or all. */
export type Unfolded = ReadonlySet<string> | 'all'

/** Folds what is too much to look at, but for what was unfolded. */
export function foldGraph(steps: readonly GraphStep[], unfolded: Unfolded): ShownGraph {
  const items = new Map(steps.map((step) => [step.name, itemsOf(step, unfolded)]))
  const count = [...items.values()].reduce((sum, each) => sum + each.length, 0)
  const names = new Set(items.keys())
  const shown = steps.map((step): ShownStep => {
    const isFolded = unfolded !== 'all' && count > MANY_ITEMS && !unfolded.has(step.name)
    return {
      id: step.name,
      status: step.status,
      after: step.depends_on,
      tasks: step.tasks,
      isFolded,
      items: isFolded ? [] : (items.get(step.name) ?? []),
    }
  })
  return {
    steps: shown,
    stepEdges: steps.flatMap(({ name, depends_on }) =>
      depends_on.filter((from) => names.has(from)).map((from) => ({ from, to: name })),
    ),
    itemEdges: shown.flatMap(edgesWithin),
  }
}

function itemsOf(step: GraphStep, unfolded: Unfolded): readonly GraphItem[] {
  const families = familiesOf(step.tasks.map(({ name }) => name))
  const items = new Map<string, GraphTask[]>()
  for (const task of step.tasks) {
    const family = families.get(task.name)
    const id = family === undefined ? idOf(step.name, task.name) : idOf(step.name, `${family}-*`)
    const key = family === undefined || unfolded === 'all' || unfolded.has(id) ? idOf(step.name, task.name) : id
    items.set(key, [...(items.get(key) ?? []), task])
  }
  return [...items].map(([id, tasks]) => ({ id, step: step.name, label: id.slice(step.name.length + 1), tasks }))
}

/**
 * The instances of a matrix are named `<task>-<values>`. Answers for each task that has many siblings of the same
 * beginning that beginning.
 */
function familiesOf(names: readonly string[]): ReadonlyMap<string, string> {
  const sizes = new Map<string, number>()
  for (const name of names) {
    for (const beginning of beginningsOf(name)) sizes.set(beginning, (sizes.get(beginning) ?? 0) + 1)
  }
  return new Map(
    names.flatMap((name) => {
      const family = beginningsOf(name).find((beginning) => (sizes.get(beginning) ?? 0) >= SMALL_MATRIX)
      return family === undefined ? [] : [[name, family] as const]
    }),
  )
}

/** `unit-22-debian`: `unit`, then `unit-22`. */
function beginningsOf(name: string): readonly string[] {
  const words = name.split('-')
  return words.slice(1).map((_, index) => words.slice(0, index + 1).join('-'))
}

function edgesWithin({ id: step, items }: ShownStep): readonly GraphEdge[] {
  const itemOf = new Map(items.flatMap(({ id, tasks }) => tasks.map(({ name }) => [name, id] as const)))
  const seen = new Set<string>()
  return items
    .flatMap(({ id: to, tasks }) =>
      tasks.flatMap(({ depends_on }) =>
        depends_on.flatMap((name) => {
          const from = itemOf.get(name)
          const key = `${from} ${to}`
          if (from === undefined || from === to || seen.has(key)) return []
          seen.add(key)
          return [{ from, to }]
        }),
      ),
    )
    .filter(({ from }) => from.startsWith(`${step}/`))
}

export function idOf(step: string, task: string): string {
  return `${step}/${task}`
}

/** How many of the tasks have which status, in the order in which they first appear. */
export function tallyOf(tasks: readonly GraphTask[]): Tally {
  const counts = new Map<string, number>()
  for (const { status } of tasks) if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
}
