import { Button, Code, PasswordInput, Stack, Text } from '@mantine/core'
import { identityRoutes } from '@signalbox/contracts/access/routes'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiProblem, call } from '../../client/index.ts'
import { ProblemNotice } from '../../components/index.ts'
import { bearer } from './bearer.ts'
import { Preflight } from './preflight.tsx'

/** Takes the bootstrap token, and shows that it is one. */
export function TokenStep({ onProved }: { readonly onProved: (token: string) => void }): ReactNode {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<Error>()
  const [isWrong, setWrong] = useState(false)
  const [isAsking, setAsking] = useState(false)

  async function prove(event: FormEvent): Promise<void> {
    event.preventDefault()
    const token = typed.trim()
    setAsking(true)
    setError(undefined)
    setWrong(false)
    try {
      const { kind } = await call(identityRoutes.getMe, { headers: bearer(token) })
      if (kind === 'bootstrap') onProved(token)
      else setWrong(true)
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 401) setWrong(true)
      else setError(problem instanceof Error ? problem : new Error('The token could not be checked.'))
    } finally {
      setAsking(false)
    }
  }

  return (
    <Stack gap="md">
      <Preflight />
      <Text>
        Nobody can sign in yet. The bootstrap token shows that this installation is yours. It lies in a file of the data
        folder on the machine of the control plane, unless you configured <Code>bootstrap_admin_token</Code>:
      </Text>
      <Code block tabIndex={0}>
        cat .signalbox/bootstrap-token
      </Code>
      <form onSubmit={(event) => void prove(event)}>
        <Stack gap="md">
          <PasswordInput
            label="Bootstrap token"
            autoComplete="off"
            required
            value={typed}
            error={isWrong ? 'This is not the bootstrap token of this installation.' : undefined}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <ProblemNotice error={error} />
          <Button type="submit" size="sm" loading={isAsking}>
            Go on
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
