import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiProblem, call, itemsOf, Repeated, useLive } from '../../../client/index.ts'
import { teamQuery, teamTopic } from '../../../shell/index.ts'
import { runsQuery } from '../queries.ts'
import type { RunRow } from '../run.ts'
import { queryOf, type RunFilters } from '../run-filters.ts'
import { type Look, lookAt, patchRuns, prependRuns } from './merge-runs.ts'
import { UnsureRuns } from './unsure-runs.ts'

/** The first change is read at once; those of so long after it are read together. */
const GATHER_MS = 200
/** A further part of the list is longer than its beginning, and no other page shares it: under a burst it is read no more often. */
const PART_REST_MS = 1000
/** `until` stands for a time before which runs were queued: those of this millisecond belong to it. */
const NEXT_MS = 1

const NOTHING: Look = { fresh: [], hasGap: false }

/**
 * The runs of a team, live: rows change in their places. New ones come by themselves while nobody points at the list or
 * has moved down; else they wait, counted, until somebody asks for them. For one team and filter: give the component a key.
 */
export function useLiveRuns(team: string, filters: RunFilters, list: RefObject<HTMLElement | null>) {
  const client = useQueryClient()
  const query = { ...teamQuery(team), ...queryOf(filters) }
  const options = runsQuery(team, filters)
  const { queryKey } = options
  const runs = useInfiniteQuery({ ...options, refetchOnWindowFocus: false })
  const [look, setLook] = useState(NOTHING)
  const [unsure] = useState(() => new UnsureRuns())
  const reading = useRef<Repeated>(undefined)
  const restMs = useRef(GATHER_MS)

  async function readAgain(): Promise<void> {
    const data = client.getQueryData(queryKey)
    if (!data) return
    restMs.current = GATHER_MS
    const { beginning, further } = await unsure.read(itemsOf(data), {
      list(part) {
        if (part) restMs.current = PART_REST_MS
        return call(runRoutes.listRuns, { query: part ? { ...query, ...rangeOf(part) } : query })
      },
      one: findRun,
    })
    client.setQueryData(queryKey, (now) => now && patchRuns(now, [...beginning, ...further]))
    const found = lookAt(client.getQueryData(queryKey), beginning)
    const comesAlone = !found.hasGap && !isHeld(list.current)
    if (comesAlone) client.setQueryData(queryKey, (now) => now && prependRuns(now, found.fresh))
    setLook(comesAlone ? NOTHING : found)
    if (unsure.isLeft) reading.current?.ask()
  }
  function readLater(id: string): void {
    unsure.note(id)
    reading.current?.ask()
  }
  useLive([teamTopic('runs', team)], [], ({ id }) => readLater(id))
  const renew = useEffectEvent(readAgain)
  useEffect(() => {
    let isShown = true
    reading.current = new Repeated(
      // The banner says that the control plane is away; the next event, or its return, reads again.
      async () => {
        if (isShown) await renew().catch(() => undefined)
      },
      (tookMs) => new Promise((gathered) => setTimeout(gathered, Math.max(restMs.current, tookMs))),
    )
    // The pages may be those of an earlier visit.
    unsure.note('')
    reading.current.ask()
    return () => {
      isShown = false
    }
  }, [unsure])

  function showFresh(): void {
    setLook(NOTHING)
    if (look.hasGap) void client.resetQueries({ queryKey })
    else client.setQueryData(queryKey, (now) => now && prependRuns(now, look.fresh))
  }

  return { runs, look, showFresh }
}

/** So many rows of the list, from this one on. */
function rangeOf({ from, limit }: { readonly from: RunRow; readonly limit: number }) {
  return { until: new Date(Date.parse(from.queued_at) + NEXT_MS).toISOString(), limit }
}

/** A run that was hidden meanwhile stays as it was. */
async function findRun(id: string): Promise<RunRow | undefined> {
  try {
    return await call(runRoutes.getRun, { params: { id } })
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined
    throw error
  }
}

/** Somebody points at the list, works in it, or has moved down. */
function isHeld(list: HTMLElement | null): boolean {
  if (!list) return false
  return window.scrollY > 0 || list.matches(':hover') || list.contains(document.activeElement)
}
