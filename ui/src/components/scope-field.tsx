import { Autocomplete } from '@mantine/core'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../client/index.ts'
import { useTeamPaths } from './team-select.tsx'

interface ScopeFieldProps {
  /** Its environments are offered; empty while it is not known. */
  readonly teamPath: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (scope: string) => void
  /** The server does not choose the only environment by itself. */
  readonly isRequired?: boolean
}

/** Where a run works: an environment of the team, or of another that one names. */
export function ScopeField({ teamPath, value, error, onChange, isRequired = false }: ScopeFieldProps): ReactNode {
  // A name that is being typed is no team yet.
  const isKnown = useTeamPaths().includes(teamPath)
  const environments = useQuery({
    ...read(teamRoutes.listEnvironments, { params: { id: teamPath } }),
    enabled: isKnown,
  })
  const scopes = isKnown ? (environments.data?.map(({ name }) => `${teamPath}/${name}`).toSorted() ?? []) : []
  const [only] = scopes.length === 1 && !isRequired ? scopes : []
  return (
    <Autocomplete
      label="Scope"
      description={
        only === undefined ? 'The environment that it works in.' : `Empty: ${only}, the only environment of the team.`
      }
      placeholder={only ?? `${teamPath === '' ? 'acme/web' : teamPath}/test`}
      required={isRequired || scopes.length > 1}
      limit={50}
      data={scopes}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}
