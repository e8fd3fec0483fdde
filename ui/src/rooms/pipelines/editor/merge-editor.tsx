import { unifiedMergeView } from '@codemirror/merge'
import { type ReactNode, useState } from 'react'
import { CodeEditor } from './code-editor.tsx'
import styles from './editor.module.css'

export interface MergeEditorProps {
  readonly label: string
  /** What it is compared with. */
  readonly original: string
  readonly text: string
  /** Absent: the text is only read. */
  readonly onChange?: (text: string) => void
}

/** A text, and above each changed part that of the original. */
export function MergeEditor({ label, original, text, onChange }: MergeEditorProps): ReactNode {
  const [extensions] = useState(() =>
    unifiedMergeView({
      original,
      mergeControls: onChange !== undefined && controlOf,
      collapseUnchanged: { margin: 3, minSize: 6 },
    }),
  )
  return (
    <div className={styles['compared']}>
      <CodeEditor label={label} text={text} extensions={extensions} {...(onChange ? { onChange } : {})} />
    </div>
  )
}

function controlOf(type: 'reject' | 'accept', action: (event: MouseEvent) => void): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = type === 'accept' ? 'Keep mine' : 'Take theirs'
  button.addEventListener('click', action)
  return button
}
