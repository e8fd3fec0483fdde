import { type GraphItem, type ShownGraph, type ShownStep, type Tally, tallyOf } from './step-graph.ts'

// What a reader hears of the parts of a graph.

export function describeStep({ id, status, tasks, after }: ShownStep): string {
  const state = status === undefined ? '' : `: ${status}`
  return `Step ${id}${state}, ${tasks.length === 1 ? '1 task' : `${tasks.length} tasks`}${afterwards(after)}.`
}

export function describeItem({ label, tasks }: GraphItem): string {
  const [first] = tasks
  const state = tasks.length > 1 ? countsOf(tallyOf(tasks)) : (first?.status ?? '')
  return `${label}${state === '' ? '' : `: ${state}`}${tasks.length > 1 ? '' : afterwards(first?.depends_on ?? [])}.`
}

/** What a reader hears when a node is reached. */
export function describeNode({ steps }: ShownGraph, id: string): string {
  const step = steps.find((each) => each.id === id)
  if (step) return describeStep(step)
  const item = steps.flatMap(({ items }) => items).find((each) => each.id === id)
  return item ? `${describeItem(item)} Step ${item.step}.` : ''
}

function countsOf(tally: Tally): string {
  return tally.map(([status, count]) => `${count} ${status}`).join(', ')
}

function afterwards(names: readonly string[]): string {
  return names.length === 0 ? '' : `, after ${names.join(', ')}`
}
