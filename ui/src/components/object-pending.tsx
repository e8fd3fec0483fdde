import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './object-pending.module.css'
import { PageHeader } from './page-header.tsx'
import { ProblemNotice } from './problem-notice.tsx'

interface ObjectPendingProps {
  /** The kind of the object, until its name is known. */
  readonly title: string
  readonly query: { readonly error: Error | null; refetch(): Promise<unknown> }
}

/** The page of an object that is not there yet, in about its shape; or why it does not come. */
export function ObjectPending({ title, query }: ObjectPendingProps): ReactNode {
  return (
    <>
      <PageHeader title={title} />
      {query.error ? (
        <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className={styles['waiting']} aria-busy>
          <Skeleton className={styles['sentence']} />
          <Skeleton className={styles['facts']} />
          <Skeleton className={styles['content']} />
        </div>
      )}
    </>
  )
}
