import type { ReactNode } from 'react'
import { EmptyState, PageHeader, PageLink } from '../components/index.ts'

export function NotFound(): ReactNode {
  return (
    <>
      <PageHeader title="Nothing is here" />
      <EmptyState title="There is no page at this address" action={<PageLink to="/">Go to the start</PageLink>}>
        The address may be old or cut short.
      </EmptyState>
    </>
  )
}
