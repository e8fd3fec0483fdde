import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { lazyPart } from '../../components/index.ts'
import type { GraphProps } from './graph-view.tsx'

// Pure, and without styles of its own: whoever imports something else of this folder loads nothing of it.
const Loaded = /* @__PURE__ */ lazyPart(async () => (await import('./graph-view.tsx')).GraphView, {
  waiting: <Skeleton height="min(26rem, 60vh)" />,
})

/** The graph of a run or of a document; what draws it is loaded when it is first shown. */
export function Graph(props: GraphProps): ReactNode {
  return <Loaded {...props} />
}
