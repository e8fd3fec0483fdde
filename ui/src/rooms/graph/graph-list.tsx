import { VisuallyHidden } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { describeItem, describeStep } from './describe.ts'
import type { ShownGraph } from './step-graph.ts'

/** The same as the drawing, as a list for readers. */
export const GraphList = memo(function GraphList({ graph }: { readonly graph: ShownGraph }): ReactNode {
  return (
    <VisuallyHidden component="div">
      <ul aria-label="Steps and tasks">
        {graph.steps.map((step) => (
          <li key={step.id}>
            {describeStep(step)}
            {step.items.length > 0 && (
              <ul>
                {step.items.map((item) => (
                  <li key={item.id}>{describeItem(item)}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </VisuallyHidden>
  )
})
