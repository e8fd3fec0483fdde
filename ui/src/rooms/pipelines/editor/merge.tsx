import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { lazyPart } from '../../../components/index.ts'
import type { MergeEditorProps } from './merge-editor.tsx'

// Pure: whoever imports something else of this folder does not load it.
const Loaded = /* @__PURE__ */ lazyPart(async () => (await import('./merge-editor.tsx')).MergeEditor, {
  waiting: <Skeleton height="20rem" />,
})

/** A text with what differs from another; loaded when it is first shown. */
export function Merge(props: MergeEditorProps): ReactNode {
  return <Loaded {...props} />
}
