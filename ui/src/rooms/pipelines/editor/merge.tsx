import { Skeleton } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import type { MergeEditorProps } from './merge-editor.tsx'

const Loaded = lazy(async () => ({ default: (await import('./merge-editor.tsx')).MergeEditor }))

/** A text with what differs from another; loaded when it is first shown. */
export function Merge(props: MergeEditorProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton height="20rem" />}>
      <Loaded {...props} />
    </Suspense>
  )
}
