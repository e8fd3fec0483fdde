import type { ItemOf } from '@signalbox/contracts/http/requests'
import { signInRoutes } from '@signalbox/contracts/identities/routes'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useWrite } from '../../client/index.ts'
import { type Column, ConfirmButton, DataList, EmptyState, ForeignText, Instant } from '../../components/index.ts'

type Identity = ItemOf<typeof signInRoutes.listIdentities>

interface IdentitiesProps {
  readonly userId: string
  /** What unlinking costs besides. */
  readonly loss: string
  /** What to do where there is none. */
  readonly empty: ReactNode
}

/** The accounts at providers by which a user signs in. */
export function Identities({ userId, loss, empty }: IdentitiesProps): ReactNode {
  const identities = useQuery(read(signInRoutes.listIdentities, { params: { id: userId } }))
  const unlink = useWrite(signInRoutes.deleteIdentity, {
    changes: [signInRoutes.listIdentities, sessionRoutes.listSessions, sessionRoutes.listUserSessions],
  })
  const actions: Column<Identity> = {
    key: 'unlink',
    header: 'Actions',
    isPlain: true,
    cell: ({ id, provider, issuer }) => (
      <ConfirmButton
        question={`Unlink the account at ${provider ?? issuer}?`}
        loss={loss}
        deed="Unlink it"
        onConfirm={() => unlink.mutateAsync({ params: { id: userId, identity_id: id } })}
      >
        Unlink
      </ConfirmButton>
    ),
  }
  return (
    <DataList
      label="Accounts at providers"
      columns={[...COLUMNS, actions]}
      items={identities.data}
      keyOf={({ id }) => id}
      error={identities.error}
      onRetry={() => void identities.refetch()}
      empty={<EmptyState title="No account at a provider">{empty}</EmptyState>}
    />
  )
}

const COLUMNS: readonly Column<Identity>[] = [
  {
    key: 'provider',
    header: 'Provider',
    isPlain: true,
    cell: ({ provider, issuer }) => <ForeignText>{provider ?? `${issuer}, not configured any more`}</ForeignText>,
  },
  { key: 'subject', header: 'Account', cell: ({ subject }) => <ForeignText>{subject}</ForeignText> },
  { key: 'linked', header: 'Linked', cell: ({ created_at }) => <Instant at={created_at} /> },
  { key: 'used', header: 'Signed in last', cell: ({ last_sign_in_at }) => <Instant at={last_sign_in_at} /> },
]
