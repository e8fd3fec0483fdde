import { type Edge, Position } from '@xyflow/react'
import type { ItemNode, NodeData, StepNode } from './graph-nodes.tsx'
import type { Box, Layout } from './layout.ts'
import { type GraphItem, type GraphPlace, type ShownGraph, type ShownStep, tallyOf } from './step-graph.ts'

export type DrawnNode = StepNode | ItemNode

/** The nodes as React Flow takes them; sizes are known, so that nothing is measured. */
export function nodesOf(graph: ShownGraph, layout: Layout, selected: string | undefined): readonly DrawnNode[] {
  const boxes = new Map([...layout.steps, ...layout.items].map((box) => [box.id, box]))
  const at = <Type extends 'step' | 'item'>(id: string, type: Type, data: NodeData) => {
    const box = boxes.get(id)
    return box === undefined ? [] : [{ id, type, data, ...placeOf(box), zIndex: type === 'item' ? 2 : 0 }]
  }
  return graph.steps.flatMap((step): readonly DrawnNode[] => [
    ...at(step.id, 'step', stepData(step, selected === step.id)),
    ...step.items.flatMap((item) => at(item.id, 'item', itemData(item, selected === item.id))),
  ])
}

function placeOf({ x, y, width, height }: Box) {
  const end = { y: height / 2, width: 1, height: 1 }
  return {
    position: { x, y },
    width,
    height,
    handles: [
      { ...end, type: 'target' as const, position: Position.Left, x: 0 },
      { ...end, type: 'source' as const, position: Position.Right, x: width },
    ],
  }
}

function stepData({ id, status, tasks, items }: ShownStep, isSelected: boolean): NodeData {
  const tally = items.length === 0 ? tallyOf(tasks) : undefined
  return { label: id, status, tally, count: tasks.length, isSelected }
}

function itemData({ label, tasks }: GraphItem, isSelected: boolean): NodeData {
  const isMany = tasks.length > 1
  return {
    label,
    status: isMany ? undefined : tasks[0]?.status,
    tally: isMany ? tallyOf(tasks) : undefined,
    count: tasks.length,
    isSelected,
  }
}

export function edgesOf({ stepEdges, itemEdges }: ShownGraph): Edge[] {
  return [...stepEdges, ...itemEdges].map(({ from, to }) => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    focusable: false,
    zIndex: 1,
  }))
}

/** The node that stands for a place: of a task in a folded matrix, that of the matrix. */
export function nodeIdOf({ steps }: ShownGraph, place: GraphPlace | undefined): string | undefined {
  if (!place) return undefined
  const step = steps.find(({ id }) => id === place.step)
  if (!step || place.task === undefined) return step?.id
  const item = step.items.find(({ tasks }) => tasks.some(({ name }) => name === place.task))
  return item?.id ?? step.id
}

/** What a node stands for: the step, or its task; of a folded matrix the task that needs attention first. */
export function placeOfNode({ steps }: ShownGraph, id: string): GraphPlace | undefined {
  for (const step of steps) {
    if (step.id === id) return { step: id }
    const item = step.items.find((each) => each.id === id)
    if (item)
      return { step: step.id, task: (item.tasks.find(({ status }) => isBadTask(status)) ?? item.tasks[0])?.name }
  }
  return undefined
}

function isBadTask(status: string | undefined): boolean {
  return status === 'failure' || status === 'timed_out'
}
