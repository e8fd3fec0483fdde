import { Select } from '@mantine/core'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { itemsOf, readAll } from '../client/index.ts'

interface TeamSelectProps {
  readonly label?: string
  readonly value: string
  readonly onChange: (path: string) => void
  readonly error?: string | undefined
}

/** One of the teams that one may see. */
export function TeamSelect({ label = 'Team', value, onChange, error }: TeamSelectProps): ReactNode {
  const paths = useTeamPaths()
  const [only] = paths.length === 1 ? paths : []
  useEffect(() => {
    if (value === '' && only !== undefined) onChange(only)
  }, [value, only, onChange])
  return (
    <Select
      label={label}
      required
      searchable
      allowDeselect={false}
      value={value === '' ? null : value}
      data={[...paths]}
      error={error}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

/** The paths of all teams that one may see, sorted. */
export function useTeamPaths(): readonly string[] {
  const teams = useQuery(readAll(teamRoutes.listTeams, { query: { limit: 500 } }))
  return itemsOf(teams.data)
    .map(({ path }) => path)
    .toSorted()
}
