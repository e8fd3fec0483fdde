import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section, showInvisible } from '../../components/index.ts'
import type { Plan } from './plan.ts'
import styles from './plans.module.css'
import { Written } from './written.tsx'

/** What the write answered. */
export function Outcome({ outcome }: { readonly outcome: NonNullable<Plan['outcome']> }): ReactNode {
  const { status, body, resources } = outcome
  return (
    <Section title="What became of it">
      <p>{status === null ? 'The answer of the write is not known.' : `The write answered ${status}.`}</p>
      {resources.length > 0 && (
        <ul aria-label="What was written">
          {resources.map((each) => (
            <li key={`${each.kind} ${each.id} ${each.name}`}>
              <Written {...each} />
            </li>
          ))}
        </ul>
      )}
      {body !== null && body !== undefined && (
        <Code block className={styles['arguments']} tabIndex={0} aria-label="Answer">
          {showInvisible(JSON.stringify(body, undefined, 2))}
        </Code>
      )}
    </Section>
  )
}
