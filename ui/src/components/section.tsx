import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a page with a heading of its own, on a surface. */
export function Section({ title, actions, children }: SectionProps): ReactNode {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
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
