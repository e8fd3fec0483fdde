import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { FILTERS, STATUSES } from '../run-filters.ts'

interface StatusSelectProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** The statuses that the list is narrowed to. */
export function StatusSelect({ chosen, onChange }: StatusSelectProps): ReactNode {
  return (
    <MultiSelect
      label={FILTERS.status}
      placeholder={chosen.length === 0 ? 'Any' : ''}
      clearable
      value={[...chosen]}
      data={STATUSES.map((value) => ({ value, label: value.replace('_', ' ') }))}
      onChange={onChange}
    />
  )
}
