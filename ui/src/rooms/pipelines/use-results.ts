import type { ItemOf } from '@signalbox/contracts/http/requests'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { keepPreviousData, type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useCallback } from 'react'
import { read } from '../../client/index.ts'
import type { Results } from './pipeline.ts'

type Answered = readonly ItemOf<typeof runRoutes.listPipelineResults>[]

/** The server answers for so many pipelines at once. */
const AT_ONCE = 100

/** The newest results by the id of the pipeline; undefined while they are read. */
export function useResults(pipelineIds: readonly string[]): ReadonlyMap<string, Results> | undefined {
  const combine = useCallback((answers: readonly UseQueryResult<Answered>[]) => {
    const known = answers.flatMap(({ data }) => data ?? [])
    return answers.some(({ data }) => data !== undefined)
      ? new Map(known.map(({ pipeline_id, runs }) => [pipeline_id, runs]))
      : undefined
  }, [])
  const parts = Array.from({ length: Math.ceil(pipelineIds.length / AT_ONCE) }, (_, index) =>
    pipelineIds.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
  return useQueries({
    queries: parts.map((pipeline) => ({
      ...read(runRoutes.listPipelineResults, { query: { pipeline } }),
      placeholderData: keepPreviousData,
    })),
    combine,
  })
}
