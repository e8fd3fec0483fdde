import { Button, Stack, Text, TextInput } from '@mantine/core'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiProblem, call, read } from '../../client/index.ts'
import { fieldError, ProblemNotice } from '../../components/index.ts'
import { SAMPLE_ENVIRONMENT } from './steps.ts'

/** Makes a team with an environment, or goes on with one that is there. */
export function TeamStep({ onMade }: { readonly onMade: (team: string) => void }): ReactNode {
  const teams = useQuery(read(teamRoutes.listTeams, { query: { limit: 1 } }))
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<Error>()
  const [isSending, setSending] = useState(false)
  const path = typed ?? teams.data?.[0]?.path ?? ''

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      await unlessThere(() => call(teamRoutes.createTeam, { body: { path } }))
      const body = { name: SAMPLE_ENVIRONMENT }
      await unlessThere(() => call(teamRoutes.createEnvironment, { params: { id: path }, body }))
      onMade(path)
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error('The team could not be made.'))
    } finally {
      setSending(false)
    }
  }

  return (
    <form onSubmit={(event) => void make(event)}>
      <Stack gap="md">
        <Text>
          A team owns pipelines, secrets and runs; its environments say where runs act. This one begins with the
          environment <strong>{SAMPLE_ENVIRONMENT}</strong>.
        </Text>
        <TextInput
          label="Path of the team"
          description="Lower-case letters, digits, - and _; acme/web lies below acme"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={path}
          error={fieldError(error, 'path')}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <ProblemNotice error={error} marked={['path']} />
        <Button type="submit" size="sm" loading={isSending}>
          Go on with this team
        </Button>
      </Stack>
    </form>
  )
}

/** What somebody made before is as good. */
async function unlessThere(make: () => Promise<unknown>): Promise<void> {
  try {
    await make()
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 409)) throw error
  }
}
