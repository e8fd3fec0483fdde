import type { Box, Layout } from './layout.ts'
import type { ShownGraph } from './step-graph.ts'

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
  const edges = [...graph.itemEdges, ...graph.stepEdges.flatMap(({ from, to }) => across(graph, from, to))]
  const next = new Map<string, string[]>()
  const previous = new Map<string, string[]>()
  for (const { from, to } of edges) {
    next.set(from, [...(next.get(from) ?? []), to])
    previous.set(to, [...(previous.get(to) ?? []), from])
  }
  return { stops, next, previous }
}

/** An edge between steps leads from what ends the first to what begins the second. */
function across(graph: ShownGraph, from: string, to: string): readonly { from: string; to: string }[] {
  const hasNext = new Set(graph.itemEdges.map((edge) => edge.from))
  const hasPrevious = new Set(graph.itemEdges.map((edge) => edge.to))
  const stopsOf = (step: string, inner: ReadonlySet<string>): readonly string[] => {
    const items = graph.steps.find(({ id }) => id === step)?.items ?? []
    return items.length === 0 ? [step] : items.map(({ id }) => id).filter((id) => !inner.has(id))
  }
  const targets = stopsOf(to, hasPrevious)
  return stopsOf(from, hasNext).flatMap((source) => targets.map((target) => ({ from: source, to: target })))
}

/** Where an arrow leads: left and right along edges, up and down between neighbours; undefined: nowhere. */
export function move(
  { stops, next, previous }: Ways,
  from: string | undefined,
  direction: Direction,
): string | undefined {
  const here = stops.find(({ id }) => id === from)
  if (!here || direction === 'first') return leftmost(stops)?.id
  if (direction === 'last') return leftmost(stops.map((box) => ({ ...box, x: -box.x, y: -box.y })))?.id
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
