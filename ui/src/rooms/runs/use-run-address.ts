import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { addressOfSelection, type RunAddress, type RunSelection, selectionOf } from './run-address.ts'

const page = getRouteApi('/shell/runs/$id')

interface RunAddressState {
  readonly address: RunAddress
  readonly selection: RunSelection | undefined
  /** Changes a part of the address; no new entry in the history where a person only looks around. */
  readonly show: (part: RunAddress) => void
  /** Selects a part of the run in every view; undefined: all of it. */
  readonly select: (selection: RunSelection | undefined) => void
}

/** What the address of a run's page selects. Graph, timeline, table and log all follow it. */
export function useRunAddress(): RunAddressState {
  const address = page.useSearch()
  const navigate = page.useNavigate()
  const { task, attempt } = address
  const selection = useMemo(
    () => selectionOf({ ...(task === undefined ? {} : { task }), ...(attempt === undefined ? {} : { attempt }) }),
    [task, attempt],
  )
  const show = useCallback(
    (part: RunAddress) => void navigate({ search: (old) => ({ ...old, ...part }), replace: part.tab === undefined }),
    [navigate],
  )
  const select = useCallback(
    (chosen: RunSelection | undefined) =>
      void navigate({
        search: ({ task: _task, attempt: _attempt, ...old }) => ({ ...old, ...addressOfSelection(chosen) }),
        replace: true,
      }),
    [navigate],
  )
  return { address, selection, show, select }
}
