import { Skeleton } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import styles from './graph.module.css'
import type { GraphProps } from './graph-view.tsx'

const Loaded = lazy(async () => ({ default: (await import('./graph-view.tsx')).GraphView }))

/** The graph of a run or of a document; what draws it is loaded when it is first shown. */
export function Graph(props: GraphProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton className={styles['graph'] ?? ''} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
