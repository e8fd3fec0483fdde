import type { Box, Layout } from './layout.ts'
import type { GraphEdge, ShownGraph } from './step-graph.ts'

export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last'

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
}

export function directionOf(key: string): Direction | undefined {
  return DIRECTIONS[key]
}

/** The ways through a graph by keyboard: its stops are items and folded steps. */
export interface Ways {
  readonly stops: readonly Box[]
  readonly next: ReadonlyMap<string, readonly string[]>
  readonly previous: ReadonlyMap<string, readonly string[]>
}

export function waysOf(graph: ShownGraph, layout: Layout): Ways {
  const folded = new Set(graph.steps.filter(({ items }) => items.length === 0).map(({ id }) => id))
  const stops = [...layout.items, ...layout.steps.filter(({ id }) => folded.has(id))]
  const edges = [...graph.itemEdges, ...edgesAcross(graph)]
  const next = new Map<string, string[]>()
  const previous = new Map<string, string[]>()
  for (const { from, to } of edges) {
    listOf(next, from).push(to)
    listOf(previous, to).push(from)
  }
  return { stops, next, previous }
}

function listOf(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

/** An edge between steps leads from what ends the first to what begins the second. */
function edgesAcross({ steps, stepEdges, itemEdges }: ShownGraph): readonly GraphEdge[] {
  const hasNext = new Set(itemEdges.map(({ from }) => from))
  const hasPrevious = new Set(itemEdges.map(({ to }) => to))
  const stops = new Map(steps.map(({ id, items }) => [id, items.length === 0 ? [id] : items.map((item) => item.id)]))
  return stepEdges.flatMap((edge) => {
    const targets = (stops.get(edge.to) ?? []).filter((id) => !hasPrevious.has(id))
    const sources = (stops.get(edge.from) ?? []).filter((id) => !hasNext.has(id))
    return sources.flatMap((from) => targets.map((to) => ({ from, to })))
  })
}

/** Where an arrow leads: left and right along edges, up and down between neighbours; undefined: nowhere. */
export function move(
  { stops, next, previous }: Ways,
  from: string | undefined,
  direction: Direction,
): string | undefined {
  const here = stops.find(({ id }) => id === from)
  if (direction === 'last') return leftmost(stops.map((box) => ({ ...box, x: -box.x, y: -box.y })))?.id
  if (!here || direction === 'first') return leftmost(stops)?.id
  if (direction === 'left' || direction === 'right') {
    const linked = new Set((direction === 'right' ? next : previous).get(here.id))
    return nearest(
      here,
      stops.filter(({ id }) => linked.has(id)),
    )
  }
  const sign = direction === 'down' ? 1 : -1
  const ahead = stops.filter((box) => sign * (middleOf(box) - middleOf(here)) > 0)
  const sameColumn = ahead.filter((box) => box.x < here.x + here.width && here.x < box.x + box.width)
  return nearest(here, sameColumn)
}

function leftmost(stops: readonly Box[]): Box | undefined {
  return stops.toSorted((a, b) => a.x - b.x || a.y - b.y)[0]
}

function nearest(here: Box, boxes: readonly Box[]): string | undefined {
  const distance = (box: Box): number => Math.abs(middleOf(box) - middleOf(here)) + Math.abs(box.x - here.x) / 4
  return boxes.toSorted((a, b) => distance(a) - distance(b))[0]?.id
}

function middleOf({ y, height }: Box): number {
  return y + height / 2
}
