import type { ReactNode } from 'react'
import styles from './form-row.module.css'

/** Fields and their button in one line; on a phone the fields stand below each other and use the whole width. */
export function FormRow({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={styles['row']}>{children}</div>
}
