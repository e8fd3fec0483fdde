import { Alert } from '@mantine/core'
import type { GitAppError, GitAppProvider } from '@signalbox/contracts/git-apps'
import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import { ERROR_WORDS } from '@signalbox/contracts/git-apps/words'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { invalidate, read } from '../../client/index.ts'
import styles from './git-apps-page.module.css'

const POLL_MS = 2000
/** What may have left an app over at the provider. Whoever was refused, or came too late, knows it. */
const TOLD: readonly GitAppError[] = ['interrupted', 'exchange_failed', 'provider_unreachable', 'unavailable']

/** What became of the newest registration, also of one whose browser never came back to this page. */
export function Registration({ provider }: { readonly provider: GitAppProvider }): ReactNode {
  const queries = useQueryClient()
  const { data } = useQuery({
    ...read(gitAppRoutes.getRegistration, { params: { provider } }),
    refetchInterval: ({ state }) => (goesOn(state.data?.status) ? POLL_MS : false),
  })
  const status = data?.status
  useEffect(() => {
    if (status === 'registered') void invalidate(queries, [gitAppRoutes.getGitApp])
  }, [queries, status])
  if (goesOn(status)) {
    return (
      <Alert className={styles['told']} variant="light" role="status" title="The app is on its way">
        The provider was asked for it. It appears here in a moment, also after a restart of the service.
      </Alert>
    )
  }
  const error = TOLD.find((known) => known === data?.error)
  if (error === undefined) return null
  const [title, sentence] = ERROR_WORDS[error]
  return (
    <Alert className={styles['told']} color="danger" variant="light" role="alert" title={title}>
      {sentence}
    </Alert>
  )
}

function goesOn(status: string | undefined): boolean {
  return status === 'asking' || status === 'finishing'
}
