import { Box } from '@mantine/core'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, useWrite } from '../../client/index.ts'
import { useMe } from '../../client/session.ts'
import { signOut } from '../../client/sign-out.ts'
import { type Column, ConfirmButton, DataList, EmptyState, PageHeader } from '../../components/index.ts'
import { PasswordSection } from './password-section.tsx'
import { SESSION_COLUMNS, type Session } from './session-columns.tsx'

const page = getRouteApi('/shell/account/sessions')

/** Where one is signed in, and the way out of each. */
export function SessionsPage(): ReactNode {
  const me = useMe()
  const sessions = useInfiniteQuery(page.useLoaderData())
  const changes = [sessionRoutes.listSessions]
  const end = useWrite(sessionRoutes.revokeSession, { changes })
  const endOthers = useWrite(sessionRoutes.revokeSessions, { changes })
  const items = sessions.data && itemsOf(sessions.data)
  return (
    <>
      <PageHeader
        title="Your sessions"
        sentence="Each browser in which you are signed in. End one that you do not know, then change your password."
        actions={
          <ConfirmButton
            question="End all other sessions?"
            loss="Every other browser in which you are signed in has to sign in again. Tokens are not touched."
            deed="End them"
            disabled={!items || items.length < 2}
            onConfirm={() => endOthers.mutateAsync({})}
          >
            End all others
          </ConfirmButton>
        }
      />
      <DataList
        label="Your sessions"
        columns={[...SESSION_COLUMNS, endingBy((id) => end.mutateAsync({ params: { id } }))]}
        items={items}
        keyOf={({ id }) => id}
        {...moreOf(sessions)}
        empty={<EmptyState title="No session">You use a token: sessions are those of browsers.</EmptyState>}
      />
      {me?.kind === 'user' && (
        <Box mt="xl">
          <PasswordSection userId={me.id} login={me.name} />
        </Box>
      )}
    </>
  )
}

function endingBy(end: (id: string) => Promise<unknown>): Column<Session> {
  return {
    key: 'actions',
    header: 'End',
    isPlain: true,
    cell: ({ id, device, current }) =>
      current ? (
        <ConfirmButton
          question="Sign out here?"
          loss="This page asks for your password then. Unsaved work that this browser keeps for you is deleted."
          deed="Sign out"
          onConfirm={signOut}
        >
          Sign out
        </ConfirmButton>
      ) : (
        <ConfirmButton
          question={`End the session of ${device}?`}
          loss="That browser has to sign in again."
          deed="End it"
          onConfirm={() => end(id)}
        >
          End
        </ConfirmButton>
      ),
  }
}
