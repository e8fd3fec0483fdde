import { Autocomplete, Checkbox, MultiSelect } from '@mantine/core'
import { identityRoutes } from '@signalbox/contracts/access/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../client/index.ts'
import { fieldError } from './field-problems.ts'
import { useTeamPaths } from './team-select.tsx'
import type { ChosenLimits, KnownPermission } from './token-limits.ts'

/** The fields that `TokenLimitsFields` shows the faults of. */
export const LIMIT_FIELDS = ['team_path', 'read_only', 'families', 'permissions'] as const

interface TokenLimitsFieldsProps {
  readonly value: ChosenLimits
  readonly onChange: (limits: ChosenLimits) => void
  readonly error: Error | null
}

/** Permissions with their families, as far as they are read. */
export function useKnownPermissions(): readonly KnownPermission[] {
  return useQuery(read(identityRoutes.listPermissions)).data?.permissions ?? []
}

/** What a token may do at most; empty fields limit nothing. */
export function TokenLimitsFields({ value, onChange, error }: TokenLimitsFieldsProps): ReactNode {
  const known = useKnownPermissions().filter(({ limitable }) => limitable)
  const families = [...new Set(known.map(({ family }) => family))]
  return (
    <>
      <Autocomplete
        label="Only at the team"
        description="And the teams below it; empty: everywhere"
        limit={50}
        data={[...useTeamPaths()]}
        value={value.teamPath}
        error={fieldError(error, 'team_path')}
        onChange={(teamPath) => onChange({ ...value, teamPath })}
      />
      <MultiSelect
        label="Only of the families"
        placeholder={value.families.length === 0 ? 'All' : ''}
        clearable
        data={families}
        value={[...value.families]}
        error={fieldError(error, 'families')}
        onChange={(chosen) => onChange({ ...value, families: chosen })}
      />
      <MultiSelect
        label="Only these permissions"
        placeholder={value.permissions.length === 0 ? 'All of its owner' : ''}
        searchable
        clearable
        data={known.map(({ name }) => name)}
        value={[...value.permissions]}
        error={fieldError(error, 'permissions')}
        onChange={(chosen) => onChange({ ...value, permissions: chosen })}
      />
      <Checkbox
        label="It only reads"
        checked={value.isReadOnly}
        onChange={({ currentTarget }) => onChange({ ...value, isReadOnly: currentTarget.checked })}
      />
    </>
  )
}
