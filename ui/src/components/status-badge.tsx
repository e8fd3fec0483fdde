import type { ReactNode } from 'react'
import { lookOf } from '../theme/statuses.ts'
import styles from './status-badge.module.css'

interface StatusBadgeProps {
  readonly status: string
  /** A failure that does not count: shown in the colours of a warning. */
  readonly isIgnored?: boolean
  /** The icon alone, for strips and narrow columns; readers still hear the word. */
  readonly isIconOnly?: boolean
}

/** A status by icon, word and colour. */
export function StatusBadge({ status, isIgnored = false, isIconOnly = false }: StatusBadgeProps): ReactNode {
  const { tone, label, icon: Icon, dashed } = lookOf(status)
  const word = isIgnored ? `${label} (ignored)` : label
  return (
    <span
      className={styles['badge']}
      data-tone={isIgnored ? 'warning' : tone}
      data-dashed={dashed}
      data-icon-only={isIconOnly || undefined}
      {...(isIconOnly ? { role: 'img', 'aria-label': word, title: word } : {})}
    >
      <Icon className={styles['icon']} data-turns={tone === 'running' || undefined} aria-hidden />
      {!isIconOnly && word}
    </span>
  )
}
