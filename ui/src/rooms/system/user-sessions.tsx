import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { itemsOf, moreOf, readPages, useWrite } from '../../client/index.ts'
import { ConfirmButton, DataList, EmptyState, Section } from '../../components/index.ts'
import { SESSION_COLUMNS } from '../sessions/index.ts'
import type { User } from './user.ts'

/** Where a user is signed in, and the end of one session or of all. */
export function UserSessions({ user }: { readonly user: User }): ReactNode {
  const params = { id: user.id }
  const changes = [sessionRoutes.listUserSessions]
  const sessions = useInfiniteQuery(readPages(sessionRoutes.listUserSessions, { params }))
  const end = useWrite(sessionRoutes.revokeSession, { changes })
  const endAll = useWrite(sessionRoutes.revokeUserSessions, { changes })
  const items = sessions.data && itemsOf(sessions.data)
  return (
    <Section
      title="Sessions"
      actions={
        <ConfirmButton
          question={`End all sessions of ${user.login}?`}
          loss="Every browser of the user has to sign in again. Tokens are not touched."
          deed="End them"
          disabled={!items || items.length === 0}
          onConfirm={() => endAll.mutateAsync({ params })}
        >
          End all
        </ConfirmButton>
      }
    >
      <DataList
        label="Sessions"
        columns={[
          ...SESSION_COLUMNS,
          {
            key: 'end',
            header: 'End',
            isPlain: true,
            cell: ({ id, device }) => (
              <ConfirmButton
                question={`End the session of ${device}?`}
                loss="That browser has to sign in again."
                deed="End it"
                onConfirm={() => end.mutateAsync({ params: { id } })}
              >
                End
              </ConfirmButton>
            ),
          },
        ]}
        items={items}
        keyOf={({ id }) => id}
        {...moreOf(sessions)}
        empty={<EmptyState title="No session">The user is signed in nowhere.</EmptyState>}
      />
    </Section>
  )
}
