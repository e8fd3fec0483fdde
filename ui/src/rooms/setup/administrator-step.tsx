import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { setupRoutes } from '@signalbox/contracts/setup/routes'
import { type FormEvent, type ReactNode, useState } from 'react'
import { call, newKey, noteSignIn } from '../../client/index.ts'
import { ApiProblem } from '../../client/problem.ts'
import { fieldError, PageLink, ProblemNotice } from '../../components/index.ts'
import { bearer } from './bearer.ts'

interface AdministratorStepProps {
  readonly token: string
  readonly onMade: () => void
}

/** Makes the first administrator, and signs in as that person. */
export function AdministratorStep({ token, onMade }: AdministratorStepProps): ReactNode {
  const [login, setLogin] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<Error>()
  const [isSending, setSending] = useState(false)
  // A repetition after a lost answer makes no second one.
  const [key] = useState(newKey)
  const exists = error instanceof ApiProblem && error.code === 'access.administrator_exists'

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      const body = { login, password, ...(name === '' ? {} : { name }) }
      const idempotencyKey = `${key}-${login}`
      await call(setupRoutes.createAdministrator, { body, headers: bearer(token), idempotencyKey })
      await call(sessionRoutes.signIn, { body: { login, password } })
      noteSignIn()
      onMade()
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error('The administrator could not be made.'))
    } finally {
      setSending(false)
    }
  }

  return (
    <form onSubmit={(event) => void make(event)}>
      <Stack gap="md">
        <Text>This person may do everything here, and makes the users of all others.</Text>
        <TextInput
          label="Login"
          description="Lower-case letters, digits and . _ @ + -"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          pattern="[a-z0-9][a-z0-9._@+\-]{0,99}"
          value={login}
          error={fieldError(error, 'login')}
          onChange={({ currentTarget }) => setLogin(currentTarget.value)}
        />
        <TextInput
          label="Name"
          description="As others see it"
          autoComplete="name"
          maxLength={200}
          value={name}
          error={fieldError(error, 'name')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          description="At least 12 characters"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={1024}
          value={password}
          error={fieldError(error, 'password')}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <ProblemNotice error={error} marked={['login', 'name', 'password']} />
        {exists && <PageLink to="/sign-in">Sign in instead</PageLink>}
        <Button type="submit" size="sm" loading={isSending}>
          Create the administrator
        </Button>
      </Stack>
    </form>
  )
}
