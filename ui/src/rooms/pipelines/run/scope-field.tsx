import { Autocomplete } from '@mantine/core'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../../client/index.ts'
import { fieldError } from '../../../components/index.ts'
import type { RunDraft } from './run-draft.ts'

interface ScopeFieldProps {
  readonly teamPath: string
  readonly draft: RunDraft
  readonly onChange: (draft: RunDraft) => void
  readonly error: Error | null
}

/** Where the run works: an environment of the team, or of another that one names. */
export function ScopeField({ teamPath, draft, onChange, error }: ScopeFieldProps): ReactNode {
  const environments = useQuery(read(teamRoutes.listEnvironments, { params: { id: teamPath } }))
  const scopes = environments.data?.map(({ name }) => `${teamPath}/${name}`).toSorted() ?? []
  const [only] = scopes.length === 1 ? scopes : []
  return (
    <Autocomplete
      label="Scope"
      description={
        only === undefined ? 'The environment that it works in.' : `Empty: ${only}, the only environment of the team.`
      }
      placeholder={only ?? `${teamPath}/test`}
      required={scopes.length > 1}
      data={scopes}
      value={draft.scope}
      error={fieldError(error, 'scope')}
      onChange={(scope) => onChange({ ...draft, scope })}
    />
  )
}
