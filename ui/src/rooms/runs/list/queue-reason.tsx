import { Text } from '@mantine/core'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { invalidate, Repeated, read, useLive } from '../../../client/index.ts'
import { ForeignText } from '../../../components/index.ts'
import type { RunRow } from '../run.ts'
import { GrowingRest } from './growing-rest.ts'

/**
 * What a place in the queue hangs on: runs of all teams share the runners. Runs that one may not see tell nothing; what they
 * change is read with the next change, or when the tab is shown again.
 */
const CAUSES = ['runs:/', 'runners', 'emergencies', 'knowledge']

/** Keeps the reasons of the queued runs in sight current, for a list that draws them by `RowReason`. */
export function useQueueReasons(): void {
  const client = useQueryClient()
  const reading = useRef<Repeated>(undefined)
  useLive(CAUSES, [], () => reading.current?.ask())
  useEffect(() => {
    let isShown = true
    // Each row costs a judgement of all runners: what comes in a rest is read together.
    const rest = new GrowingRest()
    reading.current = new Repeated(
      async () => {
        if (isShown) await invalidate(client, [runRoutes.getRun])
      },
      (tookMs) => new Promise((rested) => setTimeout(rested, rest.next(performance.now(), tookMs))),
    )
    return () => {
      isShown = false
    }
  }, [client])
}

/** Why a run is as it is, in the server's sentence; for a queued one what it waits for, asked while the row is in sight. */
export function RowReason({ run }: { readonly run: RunRow }): ReactNode {
  if (run.status === 'queued' && run.reason === null) return <QueueReason id={run.run_id} />
  return <Reason>{run.reason}</Reason>
}

function QueueReason({ id }: { readonly id: string }): ReactNode {
  const place = useRef<HTMLSpanElement>(null)
  const [isInSight, setInSight] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const observer = new IntersectionObserver((entries) => setInSight(entries.at(-1)?.isIntersecting === true))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  const run = useQuery({ ...read(runRoutes.getRun, { params: { id } }), enabled: isInSight })
  return (
    <span ref={place}>
      <Reason>{run.data?.queue_reason ?? run.data?.reason ?? null}</Reason>
    </span>
  )
}

function Reason({ children }: { readonly children: string | null }): ReactNode {
  if (children === null) return null
  return (
    <Text component="span" size="sm" c="dimmed" lineClamp={1} title={children}>
      <ForeignText>{children}</ForeignText>
    </Text>
  )
}
