import { useDebouncedValue } from '@mantine/hooks'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../client/call.ts'
import type { Reading } from '../reading/reading.ts'
import { useReading } from '../reading/use-reading.ts'
import { joinProblems, type PlacedProblem } from './problem-range.ts'

const PAUSE_MS = 400
const NONE: readonly PlacedProblem[] = []

export interface Found {
  readonly reading: Reading | undefined
  readonly problems: readonly PlacedProblem[]
  readonly warnings: readonly PlacedProblem[]
  /** Whether what is shown is of the text as it stands. */
  readonly isCurrent: boolean
}

/**
 * What is wrong with a text: at once what the browser finds, and after a pause what the control plane adds about things
 * outside of it.
 */
export function useProblems(text: string, teamPath: string): Found {
  const reading = useReading(text)
  const [paused] = useDebouncedValue(text, PAUSE_MS)
  const asked = useQuery({
    queryKey: ['validation', teamPath, paused],
    queryFn: async () =>
      call(pipelineRoutes.validatePipeline, {
        body: { document: paused, ...(teamPath === '' ? {} : { team_path: teamPath }) },
      }),
    enabled: paused !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  // Of an older text only the browser's part is shown.
  const answer = paused === text && !asked.isPlaceholderData ? asked.data : undefined
  return useMemo(
    () => ({
      reading,
      problems: joinProblems<PlacedProblem>(reading?.problems ?? NONE, answer?.errors ?? NONE),
      warnings: joinProblems<PlacedProblem>(reading?.warnings ?? NONE, answer?.warnings ?? NONE),
      isCurrent: answer !== undefined,
    }),
    [reading, answer],
  )
}
