import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, readAll } from '../../../client/index.ts'

/** A runner by its name; by the beginning of its id where it is gone, or where one may not see it. */
export function RunnerName({ id }: { readonly id: string | null }): ReactNode {
  const runners = useQuery({ ...readAll(runnerRoutes.listRunners, { query: { limit: 500 } }), staleTime: 60_000 })
  if (id === null) return null
  const name = itemsOf(runners.data).find((runner) => runner.id === id)?.name
  return <span title={id}>{name ?? id.slice(-8)}</span>
}
