import { useEffect, useEffectEvent, useState } from 'react'
import type { Layout } from './layout.ts'
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

/**
 * The layout of a graph; undefined while it is being made for the first time. `version` names what the graph was made
 * from, such as a version of a pipeline.
 */
export function useLayout(version: string, graph: ShownGraph): Layout | undefined {
  const key = keyOf(version, graph)
  const [made, setMade] = useState<{ readonly key: string; readonly layout: Layout }>()
  // The key holds all of the graph that a layout depends on; its statuses change often.
  const make = useEffectEvent((wanted: string) =>
    ask(graph, (layout) => {
      remember(wanted, layout)
      setMade({ key: wanted, layout })
    }),
  )
  useEffect(() => (known.has(key) ? undefined : make(key)), [key])
  return known.get(key) ?? (made?.key === key ? made.layout : undefined)
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
  current.postMessage({ number, graph }, { transfer: [] })
  return () => current.removeEventListener('message', onMessage)
}
