import { startTransition, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Layout, Shape } from './layout.ts'
import type { ShownGraph } from './step-graph.ts'

interface Answered {
  readonly number: number
  readonly layout: Layout
}

/** Layouts by what they were made of: the same version of a pipeline, folded alike, is laid out once. */
const known = new Map<string, Layout>()
const KEPT = 30

let worker: Worker | undefined
let asked = 0

/** A graph with the layout that was made of it. */
export interface Placed {
  readonly graph: ShownGraph
  readonly layout: Layout
}

/**
 * The graph with its layout; while that is being made the one before, and undefined where there is none. `version` names
 * what the graph was made from, such as a version of a pipeline.
 */
export function useLayout(version: string, graph: ShownGraph): Placed | undefined {
  const key = useMemo(() => keyOf(version, graph), [version, graph])
  const [made, setMade] = useState<{ readonly of: string; readonly placed: Placed }>()
  // The key holds all of the graph that a layout depends on; its statuses change often.
  const make = useEffectEvent((wanted: string) =>
    ask(graph, (layout) => {
      remember(wanted, layout)
      // Drawn in pieces, so that the page stays free.
      startTransition(() => setMade({ of: wanted, placed: { graph, layout } }))
    }),
  )
  useEffect(() => (known.has(key) ? undefined : make(key)), [key])
  const layout = made?.of === key ? made.placed.layout : known.get(key)
  return useMemo(() => (layout ? { graph, layout } : made?.placed), [graph, layout, made])
}

/** What a layout depends on, whatever the statuses are. */
function keyOf(version: string, { steps, stepEdges }: ShownGraph): string {
  const parts = steps.map(({ id, items }) => `${id}:${items.map((item) => item.id).join(',')}`)
  return [version, ...parts, ...stepEdges.map(({ from, to }) => `${from}>${to}`)].join(' ')
}

function remember(key: string, layout: Layout): void {
  known.set(key, layout)
  const [oldest] = known.keys()
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest)
}

/** Without the tasks and what they hold: that would be copied for nothing. */
function shapeOf({ steps, stepEdges, itemEdges }: ShownGraph): Shape {
  const shapes = steps.map(({ id, items }) => ({ id, items: items.map((item) => ({ id: item.id })) }))
  return { steps: shapes, stepEdges, itemEdges }
}

/** Answers how to stop waiting. */
function ask(graph: ShownGraph, done: (layout: Layout) => void): () => void {
  const current = (worker ??= new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' }))
  asked += 1
  const number = asked
  const onMessage = ({ data }: MessageEvent<Answered>): void => {
    if (data.number !== number) return
    current.removeEventListener('message', onMessage)
    done(data.layout)
  }
  current.addEventListener('message', onMessage)
  current.postMessage({ number, shape: shapeOf(graph) }, { transfer: [] })
  return () => current.removeEventListener('message', onMessage)
}
