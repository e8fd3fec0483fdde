import { Autocomplete } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useBranches } from './use-branches.ts'

interface BranchFieldProps {
  /** owner/name; empty while it is not known. */
  readonly repository: string
  readonly label?: string
  readonly description?: string
  readonly required?: boolean
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (ref: string) => void
}

/** A branch or a tag: the branches of a connected repository are offered, and any other name may be typed. */
export function BranchField({ repository, label = 'Branch or tag', onChange, ...field }: BranchFieldProps): ReactNode {
  const [isWanted, setWanted] = useState(false)
  const branches = useBranches(isWanted ? [repository] : [])
  return (
    <Autocomplete
      {...field}
      label={label}
      placeholder="main"
      limit={50}
      data={[...branches]}
      onChange={(ref) => {
        // The provider is asked once somebody types.
        setWanted(true)
        onChange(ref)
      }}
    />
  )
}
