import { Button, Code } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyButton, EmptyState, Facts, ForeignText, formatBytes, showInvisible } from '../../components/index.ts'
import styles from './event-tree.module.css'
import type { DeliveryDetail } from './source.ts'

/** What was sent beside what was read from it. */
export function PayloadView({ delivery }: { readonly delivery: DeliveryDetail }): ReactNode {
  const { payload, events, headers } = delivery
  if (payload === null) {
    return <EmptyState title="The payload is not kept">It is over the limit, or its days are over.</EmptyState>
  }
  return (
    <div className={styles['columns']}>
      <Document title={`Payload, ${formatBytes(delivery.payload_bytes)}`} value={payload} />
      <Document title="As triggers see it" value={events} />
      {headers && (
        <div>
          <h3>Headers</h3>
          <Facts
            facts={Object.entries(headers).map(([name, value]) => [
              name,
              <ForeignText key={name}>{value}</ForeignText>,
            ])}
          />
        </div>
      )}
    </div>
  )
}

/** A browser draws so many characters at once without a pause. */
const SHOWN = 50_000

function Document({ title, value }: { readonly title: string; readonly value: unknown }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const shown = isWhole ? text : text.slice(0, SHOWN)
  return (
    <div>
      <h3>{title}</h3>
      <CopyButton text={text} label="Copy" isCompact />
      <section className={styles['payload']} tabIndex={0} aria-label={title}>
        <Code block tabIndex={0}>
          {showInvisible(shown)}
        </Code>
      </section>
      {shown.length < text.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </Button>
      )}
    </div>
  )
}
