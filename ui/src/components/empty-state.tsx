import { Code, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  /** What would stand here. */
  readonly title: string
  /** Why nothing does, and what to do next. */
  readonly children: ReactNode
  readonly command?: string
  readonly action?: ReactNode
}

/** What an empty list says instead of nothing. */
export function EmptyState({ title, children, command, action }: EmptyStateProps): ReactNode {
  return (
    <section className={styles['empty']}>
      <Title order={2}>{title}</Title>
      <Text component="div" c="dimmed">
        {children}
      </Text>
      {command !== undefined && (
        <Code block tabIndex={0} maw="100%">
          {command}
        </Code>
      )}
      {action}
    </section>
  )
}
