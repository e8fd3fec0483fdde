import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHeader, ProblemNotice } from '../components/index.ts'

/** A page that could not be drawn: the others still work. */
export function PageFailure({ error, reset }: ErrorComponentProps): ReactNode {
  return (
    <>
      <PageHeader title="This page failed" />
      <ProblemNotice
        error={error instanceof Error ? error : new Error('The page could not be drawn.')}
        onRetry={reset}
      />
    </>
  )
}
