import { Button, Divider, Modal, Stack, Text } from '@mantine/core'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { connection, read, useConnection } from '../client/index.ts'
import { type Me, meQuery, useMe } from '../client/session.ts'
import { leave } from '../client/sign-out.ts'
import { joinTabs } from '../client/tabs.ts'
import { PasswordForm } from './password-form.tsx'
import { ProviderLinks } from './provider-links.tsx'

/**
 * Lies over a page whose session has ended: nothing that was typed is lost, and only the same person goes on. Another one
 * who has signed in meanwhile, in another tab, begins anew.
 */
export function SignInAgain(): ReactNode {
  const { isSignedOut, isOtherUser } = useConnection()
  const me = useMe()
  const [first, setFirst] = useState<Me>()
  if (first === undefined && me !== undefined) setFirst(me)
  const next = first !== undefined && me !== undefined && me.id !== first.id ? me : undefined
  const isAnother = next !== undefined || isOtherUser
  useReturn(isSignedOut)
  useOtherTabs(first?.id, isOtherUser)
  return (
    <Modal
      opened={first !== undefined && (isSignedOut || isAnother)}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      centered
      title={isAnother ? 'Somebody else has signed in' : 'Your session has ended'}
    >
      {isAnother ? (
        <Stack gap="md">
          <Text>
            This page was opened by {first?.name}, and {next?.name ?? 'somebody else'} has signed in since. What was
            typed here belongs to {first?.name}.
          </Text>
          <Button size="sm" onClick={() => location.reload()}>
            {next ? `Go on as ${next.name}` : 'Load the page'}
          </Button>
        </Stack>
      ) : (
        <Again login={first?.name ?? ''} />
      )}
    </Modal>
  )
}

function Again({ login }: { readonly login: string }): ReactNode {
  const ways = useQuery(read(sessionRoutes.getSignIn)).data
  const providers = ways?.providers ?? []
  return (
    <Stack gap="md">
      <Text>Sign in again to go on. Everything on this page stays as it is.</Text>
      {ways?.password !== false && <PasswordForm login={login} onSignedIn={() => connection.signedIn()} />}
      {providers.length > 0 && (
        <>
          {ways?.password !== false && <Divider label="or" />}
          <ProviderLinks providers={providers} wanted="/account/sessions" inNewTab />
          <Text c="dimmed">It opens another tab. Come back to this one when you have signed in there.</Text>
        </>
      )}
    </Stack>
  )
}

/** Another tab may have changed who is signed in: nothing may be written in that person's name from here. */
function useOtherTabs(id: string | undefined, isOtherUser: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (id === undefined) return undefined
    return joinTabs(id, { onOther: () => connection.otherUser(), onSignOut: leave })
  }, [id])
  useEffect(() => {
    // To say by name who it is.
    if (isOtherUser) void queries.invalidateQueries({ queryKey: meQuery.queryKey })
  }, [isOtherUser, queries])
}

/** Somebody who comes back to the tab may have signed in in another one. */
function useReturn(isSignedOut: boolean): void {
  const me = useQuery(meQuery)
  const { refetch } = me
  useEffect(() => {
    if (!isSignedOut) return undefined
    const look = async (): Promise<void> => {
      const { isSuccess } = await refetch()
      if (isSuccess) connection.signedIn()
    }
    const onReturn = (): void => void look()
    addEventListener('focus', onReturn)
    return () => removeEventListener('focus', onReturn)
  }, [isSignedOut, refetch])
}
