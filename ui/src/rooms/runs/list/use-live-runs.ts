import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { call, itemsOf, Repeated, useLive } from '../../../client/index.ts'
import { teamQuery, teamTopic } from '../../../shell/index.ts'
import { runsQuery } from '../queries.ts'
import type { RunRow } from '../run.ts'
import { queryOf, type RunFilters } from '../run-filters.ts'
import { type Look, lookAt, patchRuns, prependRuns } from './merge-runs.ts'

/** The first change is read at once; those of so long after it are read together. */
const GATHER_MS = 200
/** So many changed rows beyond the beginning of the list are read one by one. */
const MOST_SINGLE = 10

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
  const changed = useRef(new Set<string>())
  const reading = useRef<Repeated>(undefined)

  async function readBeginning(): Promise<void> {
    const data = client.getQueryData(queryKey)
    if (!data) return
    const ids = [...changed.current]
    changed.current.clear()
    const beginning = await call(runRoutes.listRuns, { query })
    const further = await readFurther(ids, itemsOf(data), beginning)
    client.setQueryData(queryKey, (now) => now && patchRuns(now, [...beginning, ...further]))
    const found = lookAt(client.getQueryData(queryKey), beginning)
    const comesAlone = !found.hasGap && !isHeld(list.current)
    if (comesAlone) client.setQueryData(queryKey, (now) => now && prependRuns(now, found.fresh))
    setLook(comesAlone ? NOTHING : found)
  }
  function readLater(id: string): void {
    if (id !== '') changed.current.add(id)
    reading.current?.ask()
  }
  useLive([teamTopic('runs', team)], [], ({ id }) => readLater(id))
  const renew = useEffectEvent(readBeginning)
  useEffect(() => {
    let isShown = true
    reading.current = new Repeated(
      // The banner says that the control plane is away; the next event, or its return, reads again.
      async () => {
        if (isShown) await renew().catch(() => undefined)
      },
      (tookMs) => new Promise((gathered) => setTimeout(gathered, Math.max(GATHER_MS, tookMs))),
    )
    // The pages may be those of an earlier visit.
    reading.current.ask()
    return () => {
      isShown = false
    }
  }, [])

  function showFresh(): void {
    setLook(NOTHING)
    if (look.hasGap) void client.resetQueries({ queryKey })
    else client.setQueryData(queryKey, (now) => now && prependRuns(now, look.fresh))
  }

  return { runs, look, showFresh }
}

/** Rows that are shown and changed, and lie beyond the beginning that was read. */
async function readFurther(
  ids: readonly string[],
  shown: readonly RunRow[],
  beginning: readonly RunRow[],
): Promise<readonly RunRow[]> {
  const read = new Set(beginning.map((run) => run.run_id))
  const known = new Set(shown.map((run) => run.run_id))
  const wanted = ids.filter((id) => known.has(id) && !read.has(id)).slice(0, MOST_SINGLE)
  return Promise.all(wanted.map((id) => call(runRoutes.getRun, { params: { id } })))
}

/** Somebody points at the list, works in it, or has moved down. */
function isHeld(list: HTMLElement | null): boolean {
  if (!list) return false
  return window.scrollY > 0 || list.matches(':hover') || list.contains(document.activeElement)
}
