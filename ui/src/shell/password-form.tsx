import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { type FormEvent, type ReactNode, useState } from 'react'
import { call, noteSignIn } from '../client/index.ts'
import { ProblemNotice } from '../components/index.ts'

interface PasswordFormProps {
  /** Of somebody who signs in again; nobody else may. Left out: it is asked for. */
  readonly login?: string
  readonly onSignedIn: () => void
}

/** Asks for login and password, and opens a session. */
export function PasswordForm({ login: known, onSignedIn }: PasswordFormProps): ReactNode {
  const [asked, setAsked] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<Error>()
  const [isSending, setSending] = useState(false)
  const login = known ?? asked

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      await call(sessionRoutes.signIn, { body: { login, password } })
      noteSignIn()
      setPassword('')
      onSignedIn()
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error('Signing in failed.'))
    } finally {
      setSending(false)
    }
  }

  return (
    <form onSubmit={(event) => void signIn(event)}>
      <Stack gap="md">
        <TextInput
          label="Login"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={known === undefined}
          readOnly={known !== undefined}
          required
          value={login}
          onChange={({ currentTarget }) => setAsked(currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          data-autofocus={known !== undefined || undefined}
          required
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <ProblemNotice error={error} />
        <Button type="submit" size="sm" loading={isSending}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
