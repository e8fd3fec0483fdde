import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo, type ReactNode } from 'react'
import { StatusBadge, showInvisible } from '../../components/index.ts'
import styles from './graph.module.css'
import type { Tally } from './step-graph.ts'

/** What a node of the drawing shows. */
export interface NodeData extends Record<string, unknown> {
  readonly label: string
  readonly status: string | undefined
  /** Of several tasks drawn as one. */
  readonly tally: Tally | undefined
  readonly count: number
  readonly isSelected: boolean
}

export type StepNode = Node<NodeData, 'step'>
export type ItemNode = Node<NodeData, 'item'>

/** The frame around a step's tasks; the whole step where it is folded. */
const Step = memo(function Step({ data }: NodeProps<StepNode>): ReactNode {
  return (
    <div className={styles['step']} data-selected={data.isSelected || undefined}>
      <Ends />
      <div className={styles['head']}>
        {data.status !== undefined && <StatusBadge status={data.status} isIconOnly />}
        <span className={styles['name']}>{showInvisible(data.label)}</span>
        <Count data={data} />
      </div>
    </div>
  )
})

const Item = memo(function Item({ data }: NodeProps<ItemNode>): ReactNode {
  return (
    <div
      className={styles['item']}
      data-selected={data.isSelected || undefined}
      data-many={data.count > 1 || undefined}
    >
      <Ends />
      {data.status !== undefined && <StatusBadge status={data.status} isIconOnly />}
      <span className={styles['name']}>{showInvisible(data.label)}</span>
      <Count data={data} />
    </div>
  )
})

/** How many tasks stand behind the node, by status. */
function Count({ data: { tally, count } }: { readonly data: NodeData }): ReactNode {
  if (tally === undefined) return null
  if (tally.length === 0) return <span className={styles['count']}>{count}</span>
  return (
    <span className={styles['count']}>
      {tally.map(([status, number]) => (
        <span key={status} className={styles['part']}>
          <StatusBadge status={status} isIconOnly />
          {number}
        </span>
      ))}
    </span>
  )
}

function Ends(): ReactNode {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles['end'] ?? ''} />
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles['end'] ?? ''} />
    </>
  )
}

export const NODE_TYPES = { step: Step, item: Item }
