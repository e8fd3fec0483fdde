import { VisuallyHidden } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { lookOf } from '../../theme/index.ts'
import type { GraphStep } from './step-graph.ts'

/** The same as the drawing, as a list for readers. */
export const GraphList = memo(function GraphList({ steps }: { readonly steps: readonly GraphStep[] }): ReactNode {
  return (
    <VisuallyHidden component="div">
      <ul aria-label="Steps and tasks">
        {steps.map((step) => (
          <li key={step.name}>
            {sentenceOf('Step', step)}
            <ul>
              {step.tasks.map((task) => (
                <li key={task.name}>{sentenceOf('Task', task)}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </VisuallyHidden>
  )
})

function sentenceOf(kind: string, part: Pick<GraphStep, 'name' | 'depends_on' | 'status'>): string {
  const status = part.status === undefined ? '' : `: ${lookOf(part.status).label}`
  const after = part.depends_on.length === 0 ? '' : `, after ${part.depends_on.join(', ')}`
  return `${kind} ${part.name}${status}${after}`
}
