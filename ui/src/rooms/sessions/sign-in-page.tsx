import { Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { call, connection, noteSignIn } from '../../client/index.ts'
import { ProblemNotice } from '../../components/index.ts'
import styles from './sign-in-page.module.css'

const page = getRouteApi('/sign-in')

/** Signs in with a password, and goes on to the page that was wanted. */
export function SignInPage(): ReactNode {
  const { wanted } = page.useSearch()
  const router = useRouter()
  const queries = useQueryClient()
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<Error>()
  const [isSending, setSending] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · Signalbox'
  }, [])

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault()
    setSending(true)
    try {
      await call(sessionRoutes.signIn, { body: { login, password } })
      noteSignIn()
      queries.clear()
      connection.signedIn()
      router.history.push(wanted ?? '/')
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error('Signing in failed.'))
    } finally {
      setSending(false)
    }
  }

  return (
    <main className={styles['page']}>
      <form className={styles['form']} onSubmit={(event) => void signIn(event)}>
        <Title order={1}>Sign in to Signalbox</Title>
        <Stack gap="md">
          <TextInput
            label="Login"
            name="username"
            autoComplete="username"
            autoFocus
            required
            value={login}
            onChange={({ currentTarget }) => setLogin(currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
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
    </main>
  )
}
