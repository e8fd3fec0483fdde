import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  /** On a surface with a border, beside others of its kind. */
  readonly isCard?: boolean
  readonly children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Section({ title, actions, isCard = false, children }: SectionProps): ReactNode {
  const id = useId()
  return (
    <section className={styles['section']} data-card={isCard || undefined} aria-labelledby={id}>
      <div className={styles['head']}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}
