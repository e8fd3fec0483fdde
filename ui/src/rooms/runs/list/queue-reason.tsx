import { Text } from '@mantine/core'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { read } from '../../../client/index.ts'
import { ForeignText } from '../../../components/index.ts'
import type { RunRow } from '../run.ts'

/** Why a run is as it is, in the server's sentence; for a queued one what it waits for, asked once the row is seen. */
export function RowReason({ run }: { readonly run: RunRow }): ReactNode {
  if (run.status === 'queued' && run.reason === null) return <QueueReason id={run.run_id} />
  return <Reason>{run.reason}</Reason>
}

function QueueReason({ id }: { readonly id: string }): ReactNode {
  const place = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  const run = useQuery({ ...read(runRoutes.getRun, { params: { id } }), enabled: isSeen, refetchInterval: 15_000 })
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
