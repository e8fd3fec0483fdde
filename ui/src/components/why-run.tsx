import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read } from '../client/index.ts'
import { Findings } from './findings.tsx'
import { ForeignText } from './foreign-text.tsx'
import { Quotes } from './quotes.tsx'
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
  const why = useQuery({ ...read(dispatchRoutes.explainRun, { query: { run_id: id } }), enabled: isOpen })
  if (PLAIN.has(status)) return null
  return (
    <WhyButton of={of} isOpen={isOpen} onChange={setOpen}>
      {why.data ? (
        <>
          <Findings label={`Why: ${of}`} findings={why.data.findings} />
          <Quotes quotes={why.data.quotes} />
        </>
      ) : (
        <ForeignText>{why.error?.message ?? '…'}</ForeignText>
      )}
    </WhyButton>
  )
}
