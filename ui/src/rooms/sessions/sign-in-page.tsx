import { Alert, Divider, Stack, Text, Title } from '@mantine/core'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { connection, read } from '../../client/index.ts'
import { forgetPageUser } from '../../client/page-user.ts'
import { forgetSignIn } from '../../client/session-hint.ts'
import { ProblemNotice } from '../../components/index.ts'
import { PasswordForm, ProviderLinks } from '../../shell/index.ts'
import { wordsOf } from './sign-in-errors.ts'
import styles from './sign-in-page.module.css'

const page = getRouteApi('/sign-in')

/** Signs in, and goes on to the page that was wanted. */
export function SignInPage(): ReactNode {
  const { wanted = '/', error } = page.useSearch()
  const router = useRouter()
  const queries = useQueryClient()
  const ways = useQuery(read(sessionRoutes.getSignIn))
  useEffect(() => {
    document.title = 'Sign in · Signalbox'
  }, [])
  useEffect(() => {
    // Noted when the browser left for the provider.
    if (error !== undefined) forgetSignIn()
  }, [error])

  function goOn(): void {
    // Of somebody else, perhaps.
    queries.clear()
    forgetPageUser()
    connection.signedIn()
    router.history.push(wanted)
  }

  if (ways.data?.setup_needed) return <Navigate to="/setup" replace />
  const providers = ways.data?.providers ?? []
  const refusal = wordsOf(error)
  return (
    <main className={styles['page']}>
      <div className={styles['form']}>
        <Title order={1}>Sign in to Signalbox</Title>
        {refusal !== undefined && (
          <Alert color="danger" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />}>
            {refusal}
          </Alert>
        )}
        {/* The form stands there at once: whether it is of use is known a moment later. */}
        {ways.data?.password !== false && <PasswordForm onSignedIn={goOn} />}
        {providers.length > 0 && (
          <Stack gap="md">
            {ways.data?.password && <Divider label="or" />}
            <ProviderLinks providers={providers} wanted={wanted} />
          </Stack>
        )}
        {ways.data && !ways.data.password && providers.length === 0 && (
          <Text>Nobody can sign in to this page: passwords are switched off, and no provider is configured.</Text>
        )}
        {ways.error && <ProblemNotice error={ways.error} onRetry={() => void ways.refetch()} />}
      </div>
    </main>
  )
}
