import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ForeignText } from '../../../components/index.ts'
import styles from './editor.module.css'
import type { PlacedProblem } from './problem-range.ts'

interface ProblemListProps {
  readonly problems: readonly PlacedProblem[]
  readonly warnings: readonly PlacedProblem[]
  readonly onGoTo: (problem: PlacedProblem) => void
}

/** Every problem with its place; a press moves the cursor there. */
export function ProblemList({ problems, warnings, onGoTo }: ProblemListProps): ReactNode {
  const all = [
    ...problems.map((problem) => ({ problem, tone: 'failure' as const })),
    ...warnings.map((problem) => ({ problem, tone: 'warning' as const })),
  ]
  if (all.length === 0) return null
  return (
    <ul className={styles['problems']} aria-label="Problems">
      {all.map(({ problem, tone }) => (
        <li key={`${problem.code} ${problem.line}:${problem.column} ${problem.message}`}>
          <button type="button" className={styles['problem']} data-tone={tone} onClick={() => onGoTo(problem)}>
            {tone === 'failure' ? <IconX aria-label="Problem" /> : <IconAlertTriangle aria-label="Warning" />}
            <span className={styles['place']}>
              {problem.line}:{problem.column}
            </span>
            <span>
              <ForeignText>{problem.message}</ForeignText>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** How many there are, in words. */
export function countProblems(problems: number, warnings: number): string {
  const words = [count(problems, 'problem'), count(warnings, 'warning')].filter((each) => each !== undefined)
  return words.length === 0 ? 'No problem' : words.join(', ')
}

function count(number: number, word: string): string | undefined {
  if (number === 0) return undefined
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
