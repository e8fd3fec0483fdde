import type { ReactNode } from 'react'
import { ForeignText } from './foreign-text.tsx'
import styles from './quotes.module.css'

interface QuotesProps {
  readonly quotes: readonly { readonly about: string; readonly text: string }[]
}

/** What others wrote, apart from the sentences of an explanation. */
export function Quotes({ quotes }: QuotesProps): ReactNode {
  if (quotes.length === 0) return null
  return (
    <dl className={styles['quotes']} aria-label="In the words of others">
      {quotes.map(({ about, text }, index) => (
        <div key={`${about} ${index}`}>
          <dt>
            <ForeignText>{about}</ForeignText>
          </dt>
          <dd>
            <ForeignText>{text}</ForeignText>
          </dd>
        </div>
      ))}
    </dl>
  )
}
