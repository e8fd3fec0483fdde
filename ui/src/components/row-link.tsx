import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './data-list.module.css'

function RowAnchor({ children, ...props }: ComponentPropsWithRef<'a'>): ReactNode {
  return (
    <a {...props} className={styles['link']} data-list-link="">
      {children}
    </a>
  )
}

/** The link of a row: a press anywhere in the row follows it; `j` and `k` move between them. */
export const RowLink = createLink(RowAnchor)
