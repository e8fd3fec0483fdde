import { Anchor } from '@mantine/core'
import type { Evidence, Finding } from '@signalbox/contracts/http'
import type { ReactNode } from 'react'
import { linkOfEvidence, type SourcesOfDeliveries } from './evidence.ts'
import styles from './findings.module.css'
import { ForeignText } from './foreign-text.tsx'

interface FindingsProps<Found extends Finding> {
  /** What they explain, for readers. */
  readonly label: string
  readonly findings: readonly Found[]
  /** The id of the thing whose page this is: no link leads to where one is. */
  readonly here?: string | undefined
  readonly sources?: SourcesOfDeliveries
  /** What stands below a sentence, such as what others wrote. */
  readonly more?: (finding: Found) => ReactNode
}

/** The sentences of an explanation, each with links to what it rests on. */
export function Findings<Found extends Finding>(props: FindingsProps<Found>): ReactNode {
  const { label, findings, here, sources, more } = props
  return (
    <ul className={styles['findings']} aria-label={label}>
      {findings.map((finding, index) => (
        // An explanation is replaced as a whole, and two sentences may have one code.
        <li key={`${finding.code} ${index}`}>
          <ForeignText>{finding.sentence}</ForeignText>
          <Links evidence={finding.evidence.filter(({ id }) => id !== here)} sources={sources} />
          {more?.(finding)}
        </li>
      ))}
    </ul>
  )
}

interface LinksProps {
  readonly evidence: readonly Evidence[]
  readonly sources: SourcesOfDeliveries | undefined
}

function Links({ evidence, sources }: LinksProps): ReactNode {
  const links = evidence.flatMap((each) => {
    const { words, address } = linkOfEvidence(each, sources)
    return address === undefined ? [] : [{ words, address }]
  })
  if (links.length === 0) return null
  return (
    <span className={styles['evidence']}>
      {[...new Map(links.map((link) => [link.address, link])).values()].map(({ words, address }) => (
        <Anchor key={address} href={address} size="sm" underline="always">
          <ForeignText>{words}</ForeignText>
        </Anchor>
      ))}
    </span>
  )
}
