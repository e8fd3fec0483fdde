import type { ReactNode } from 'react'
import { GrowingText } from './growing-text.tsx'

interface AssignmentsFieldProps {
  readonly label: string
  /** What the values are for. */
  readonly description?: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

/** Names and values, a line each. */
export function AssignmentsField({ description, onChange, ...field }: AssignmentsFieldProps): ReactNode {
  const form = String.raw`A line each: NAME=value. Line ends and outer blanks need quotes: NAME="one\ntwo".`
  return (
    <GrowingText
      {...field}
      description={description === undefined ? form : `${description} ${form}`}
      least={2}
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
