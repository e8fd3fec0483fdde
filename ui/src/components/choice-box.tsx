import { type ReactNode, useEffect, useRef } from 'react'
import styles from './choice-box.module.css'

interface ChoiceBoxProps {
  readonly label: string
  readonly isChosen: boolean
  /** Some of what it stands for is chosen. */
  readonly isInPart?: boolean
  readonly onChoose: (isChosen: boolean) => void
}

/** The box of a row, or of all rows of a list. */
export function ChoiceBox({ label, isChosen, isInPart = false, onChoose }: ChoiceBoxProps): ReactNode {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isInPart
  }, [isInPart])
  return (
    <input
      ref={box}
      type="checkbox"
      className={styles['box']}
      aria-label={label}
      checked={isChosen}
      onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
    />
  )
}
