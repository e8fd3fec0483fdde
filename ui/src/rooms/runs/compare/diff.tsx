import type { ReactNode } from 'react'
import { showInvisible } from '../../../components/index.ts'
import styles from './diff.module.css'
import { diffLines } from './diff-lines.ts'

/** A difference of two texts: what came and what went, by sign and colour. */
export function Diff({ diff, label }: { readonly diff: string; readonly label: string }): ReactNode {
  return (
    <pre className={styles['diff']} tabIndex={0} role="group" aria-label={label}>
      {diffLines(diff).map(({ kind, text }, index) => (
        // Lines have no name but their place.
        <span key={index} data-kind={kind}>
          {showInvisible(text) || ' '}
        </span>
      ))}
    </pre>
  )
}
