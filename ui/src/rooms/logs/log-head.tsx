import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ForeignText, StatusBadge } from '../../components/index.ts'
import { sectionOf } from './log-entry.ts'
import type { AttemptOfLog, LogStore } from './log-store.ts'
import styles from './log-view.module.css'

interface LogHeadProps {
  readonly store: LogStore
  readonly attempt: AttemptOfLog
  readonly isOpen: boolean
  readonly total: number | undefined
}

/** The head of the lines of one attempt. */
export function LogHead({ store, attempt, isOpen, total }: LogHeadProps): ReactNode {
  const { step, task, attempt: number, status, hasBegun } = attempt
  const toggle = (): void => void store.open(sectionOf(attempt), !isOpen)
  return (
    <div className={styles['head']}>
      <button type="button" className={styles['toggle']} aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? <IconChevronDown size="1em" aria-hidden /> : <IconChevronRight size="1em" aria-hidden />}
        <span className={styles['name']}>
          <ForeignText>{`${step} / ${task}`}</ForeignText>
          {number > 1 && `, attempt ${number}`}
        </span>
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
