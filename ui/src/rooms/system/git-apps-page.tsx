import { Alert } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState, PageHeader } from '../../components/index.ts'
import { describeOutcome } from './git-app-outcome.ts'

const page = getRouteApi('/shell/system/git-apps')

/** Where a provider sends the browser after a registration: what came of it, in words. */
export function GitAppsPage(): ReactNode {
  const { outcome, provider } = page.useSearch()
  const told = describeOutcome(outcome)
  return (
    <>
      <PageHeader title="Git apps" />
      {told ? (
        <Alert color={told.isGood ? 'good' : 'danger'} role="status" title={provider ?? 'Registration'}>
          {told.sentence}
        </Alert>
      ) : (
        <EmptyState title="No registration to tell of">
          This version connects repositories by webhook sources. A provider that registers an app leads back to this
          page.
        </EmptyState>
      )}
    </>
  )
}
