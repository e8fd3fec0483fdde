import '@xyflow/react/dist/base.css'
import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { describeNode } from './describe.ts'
import { edgesOf, nodeIdOf, nodesOf, placeOfNode } from './drawing.ts'
import styles from './graph.module.css'
import { GraphList } from './graph-list.tsx'
import { NODE_TYPES } from './graph-nodes.tsx'
import type { Layout } from './layout.ts'
import { directionOf, move, waysOf } from './moves.ts'
import { foldGraph, type GraphPlace, type GraphStep, MOST_NODES, type ShownGraph, type Unfolded } from './step-graph.ts'
import { useLayout } from './use-layout.ts'

export interface GraphProps {
  /** What is drawn, such as a pipeline and its version: layouts are kept by it. */
  readonly version: string
  readonly steps: readonly GraphStep[]
  readonly selected?: GraphPlace | undefined
  readonly onSelect: (place: GraphPlace) => void
  /** What is unfolded: the page keeps it in its address. */
  readonly unfolded: Unfolded
  readonly onUnfold: (unfolded: Unfolded) => void
}

/** Steps and tasks with what they wait for. Arrows move along the edges; what is large is folded. */
export function GraphView(props: GraphProps): ReactNode {
  const { unfolded, onUnfold } = props
  const graph = useMemo(() => foldGraph(props.steps, unfolded), [props.steps, unfolded])
  const placed = useLayout(props.version, graph)
  const listed = useDeferredValue(graph)
  const count = props.steps.reduce((sum, { tasks }) => sum + tasks.length, 0)
  const isFolded = graph.steps.some(({ items, tasks }) => items.length < tasks.length)
  return (
    <div className={styles['graph']} style={placed && { height: heightOf(placed.layout) }}>
      <ReactFlowProvider>
        {placed && (
          <Drawing
            {...placed}
            selected={props.selected}
            onSelect={props.onSelect}
            onUnfold={(id) => onUnfold(grown(unfolded, id))}
          />
        )}
      </ReactFlowProvider>
      {(isFolded || unfolded === 'all' || unfolded.size > 0) && (
        <div className={styles['folds']}>
          {isFolded && count <= MOST_NODES && (
            <Button variant="default" onClick={() => onUnfold('all')}>
              Unfold all {count} tasks
            </Button>
          )}
          {(unfolded === 'all' || unfolded.size > 0) && (
            <Button variant="default" onClick={() => onUnfold(new Set())}>
              Fold
            </Button>
          )}
        </div>
      )}
      <GraphList graph={listed} />
    </div>
  )
}

/** As high as the drawing, within what leaves room for the log. */
function heightOf({ steps }: Layout): string {
  const bottom = Math.max(0, ...steps.map(({ y, height }) => y + height))
  return `clamp(10rem, ${bottom / 16 + 4}rem, 60vh)`
}

function grown(unfolded: Unfolded, id: string): Unfolded {
  return unfolded === 'all' ? unfolded : new Set([...unfolded, id])
}

interface DrawingProps extends Pick<GraphProps, 'selected' | 'onSelect'> {
  readonly graph: ShownGraph
  readonly layout: Layout
  readonly onUnfold: (id: string) => void
}

/** Below this a name cannot be read: a larger graph is shown in part. */
const SMALLEST_ZOOM = 0.75

function Drawing({ graph, layout, selected, onSelect, onUnfold }: DrawingProps): ReactNode {
  const flow = useReactFlow()
  const [active, setActive] = useState(() => nodeIdOf(graph, selected))
  const current = nodeIdOf(graph, selected) ?? active
  const nodes = useMemo(() => [...nodesOf(graph, layout, current)], [graph, layout, current])
  const edges = useMemo(() => edgesOf(graph), [graph])
  const ways = useMemo(() => waysOf(graph, layout), [graph, layout])
  const onMoveStart = useReveal(layout, current)
  const press = useDoubleClick(onUnfold)

  function choose(id: string): void {
    setActive(id)
    const place = placeOfNode(graph, id)
    if (place) onSelect(place)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const direction = directionOf(event.key)
    if (direction) {
      event.preventDefault()
      const next = move(ways, current, direction)
      if (next !== undefined) choose(next)
    } else if (event.key === 'Enter' && current !== undefined) {
      event.preventDefault()
      onUnfold(current)
    } else if (event.key === '+' || event.key === '-') {
      void (event.key === '+' ? flow.zoomIn() : flow.zoomOut())
    }
  }

  return (
    <>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodeClick={({ detail }, { id }) => {
          if (detail > 1) return
          press(id)
          choose(id)
        }}
        minZoom={0.05}
        maxZoom={1.5}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnDoubleClick={false}
        zoomOnScroll={false}
        preventScrolling={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        onlyRenderVisibleElements
        onMoveStart={onMoveStart}
        attributionPosition="bottom-left"
        className={styles['canvas'] ?? ''}
        aria-label="Graph of the steps"
        aria-description="Arrows move along the edges, Enter unfolds, plus and minus zoom."
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
      <div className={styles['controls']}>
        <ActionIcon variant="default" aria-label="Zoom in" title="Zoom in" onClick={() => void flow.zoomIn()}>
          <IconPlus size="1em" aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Zoom out" title="Zoom out" onClick={() => void flow.zoomOut()}>
          <IconMinus size="1em" aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Show all" title="Show all" onClick={() => void flow.fitView()}>
          <IconMaximize size="1em" aria-hidden />
        </ActionIcon>
      </div>
      <VisuallyHidden aria-live="polite">{current === undefined ? '' : describeNode(graph, current)}</VisuallyHidden>
    </>
  )
}

/**
 * A double click means what its first click hit: the drawing may move between the two, also from under the pointer.
 * Answers what to call with the node that a first click hit.
 */
function useDoubleClick(act: (id: string) => void): (id: string) => void {
  const pressed = useRef<string>(undefined)
  const forget = ({ detail }: MouseEvent): void => {
    if (detail <= 1) pressed.current = undefined
  }
  useWindowEvent('click', forget, { capture: true })
  useWindowEvent('dblclick', () => {
    if (pressed.current !== undefined) act(pressed.current)
    pressed.current = undefined
  })
  return useCallback((id) => {
    pressed.current = id
  }, [])
}

/** What a graph is drawn into. */
interface Canvas {
  readonly width: number
  readonly height: number
}

const MARGIN = 16

/**
 * Shows all of a graph that is readable as a whole, else its beginning; then follows what is selected. Answers what to
 * call when a person moves the drawing: from then on it stays where it is.
 */
function useReveal(layout: Layout, current: string | undefined): (event: unknown) => void {
  const { setViewport, setCenter, getViewport } = useReactFlow()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const moved = useRef<Layout>(undefined)
  const reveal = useEffectEvent(({ steps }: Layout, canvas: Canvas) => {
    const right = Math.max(1, ...steps.map((step) => step.x + step.width))
    const bottom = Math.max(1, ...steps.map((step) => step.y + step.height))
    const fit = Math.min((canvas.width - 2 * MARGIN) / right, (canvas.height - 2 * MARGIN) / bottom)
    const zoom = Math.min(1, Math.max(SMALLEST_ZOOM, fit))
    const first = steps.reduce((left, step) => (step.x < left.x ? step : left), steps[0] ?? { x: 0, y: 0 })
    // What is larger is shown from its first step on.
    const x = Math.max(MARGIN, (canvas.width - right * zoom) / 2)
    const isHigh = bottom * zoom + 2 * MARGIN > canvas.height
    const y = isHigh ? MARGIN - first.y * zoom : (canvas.height - bottom * zoom) / 2
    void setViewport({ x, y, zoom })
  })
  const follow = useEffectEvent((id: string | undefined, { items, steps }: Layout, canvas: Canvas) => {
    const box = [...items, ...steps].find((each) => each.id === id)
    if (!box) return
    const { x, y, zoom } = getViewport()
    const [left, top] = [box.x * zoom + x, box.y * zoom + y]
    const [right, bottom] = [left + box.width * zoom, top + box.height * zoom]
    if (left >= 0 && top >= 0 && right <= canvas.width && bottom <= canvas.height) return
    void setCenter(box.x + box.width / 2, box.y + Math.min(box.height, canvas.height) / 2, { zoom })
  })
  // The canvas takes its size from the layout, a moment later: it is measured again.
  useEffect(() => {
    if (width > 0 && height > 0 && moved.current !== layout) reveal(layout, { width, height })
  }, [layout, width, height])
  useEffect(() => {
    if (width > 0 && height > 0) follow(current, layout, { width, height })
  }, [layout, width, height, current])
  return useCallback(
    (event: unknown) => {
      // Without an event it was not a person.
      if (event) moved.current = layout
    },
    [layout],
  )
}
