import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read } from '../client/index.ts'
import { WhyButton } from './why.tsx'

interface WhyRunProps {
  readonly id: string
  readonly status: string
  /** What the question is about, for readers. */
  readonly of: string
}

/** Of these there is nothing to ask. */
const PLAIN: ReadonlySet<string> = new Set(['success', 'running'])

/** "Why?" beside the status of a run where nobody has read its reason: asked for when it is opened. */
export function WhyRun({ id, status, of }: WhyRunProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const run = useQuery({ ...read(runRoutes.getRun, { params: { id } }), enabled: isOpen })
  if (PLAIN.has(status)) return null
  return (
    <WhyButton of={of} isOpen={isOpen} onChange={setOpen}>
      {run.data
        ? (run.data.reason ?? run.data.queue_reason ?? 'The run has no reason of its own: its tasks say more.')
        : (run.error?.message ?? '…')}
    </WhyButton>
  )
}
