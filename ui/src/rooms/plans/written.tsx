import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { linkOfEvidence } from '../../components/evidence.ts'
import { ForeignText } from '../../components/index.ts'

/** Resources that have pages, as explanations name them. */
const KINDS = ['run', 'pipeline', 'schedule', 'trigger', 'runner', 'override', 'event'] as const

interface WrittenProps {
  readonly kind: string
  readonly id: string | null
  /** Of what has no id of ours. */
  readonly name: string | null
}

/** A thing that was written, with a link where it has a page. */
export function Written({ kind, id, name }: WrittenProps): ReactNode {
  const known = KINDS.find((each) => each === kind)
  const key = id ?? name
  const address = known && key !== null ? linkOfEvidence({ kind: known, id: key }).address : undefined
  const words = [kind.replaceAll('_', ' '), name ?? id ?? ''].join(' ')
  if (address === undefined) return <ForeignText>{words}</ForeignText>
  return (
    <Anchor href={address}>
      <ForeignText>{words}</ForeignText>
    </Anchor>
  )
}
