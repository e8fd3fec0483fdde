import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { lazyPart } from '../../components/index.ts'
import styles from './graph.module.css'
import type { GraphProps } from './graph-view.tsx'

// Pure: whoever imports something else of this folder does not load it.
const Loaded = /* @__PURE__ */ lazyPart(async () => (await import('./graph-view.tsx')).GraphView, {
  waiting: <Skeleton className={styles['graph'] ?? ''} />,
})

/** The graph of a run or of a document; what draws it is loaded when it is first shown. */
export function Graph(props: GraphProps): ReactNode {
  return <Loaded {...props} />
}
