import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { StatusBadge } from '../../components/index.ts'
import type { AttemptOfLog } from './log-store.ts'
import styles from './log-view.module.css'

interface LogHeadProps {
  readonly attempt: AttemptOfLog
  readonly isOpen: boolean
  readonly total: number | undefined
  readonly onToggle: () => void
}

/** The head of the lines of one attempt. */
export function LogHead({ attempt, isOpen, total, onToggle }: LogHeadProps): ReactNode {
  const { step, task, attempt: number, status, hasBegun } = attempt
  return (
    <div className={styles['head']}>
      <button type="button" className={styles['toggle']} aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? <IconChevronDown size="1em" aria-hidden /> : <IconChevronRight size="1em" aria-hidden />}
        {step} / {task}
        {number > 1 && `, attempt ${number}`}
      </button>
      <StatusBadge status={status} />
      <span className={styles['quiet']}>{hasBegun ? isOpen && countOf(total) : 'has not begun'}</span>
    </div>
  )
}

function countOf(total: number | undefined): string {
  if (total === undefined) return '…'
  return total === 1 ? '1 line' : `${total.toLocaleString('en')} lines`
}
