import { Modal, TextInput } from '@mantine/core'
import { tokenRoutes } from '@signalbox/contracts/access/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, readAll, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  DataList,
  EmptyState,
  ForeignText,
  fieldError,
  Instant,
  ProblemNotice,
  ShownOnce,
} from '../../components/index.ts'
import { limitsInWords, NO_LIMITS, sentLimits } from '../../components/token-limits.ts'
import { LIMIT_FIELDS, TokenLimitsFields, useKnownPermissions } from '../../components/token-limits-fields.tsx'
import type { ServiceAccount } from './access.ts'

interface AccountTokensProps {
  readonly account: ServiceAccount
  readonly onClose: () => void
}

const CHANGES = [tokenRoutes.listTokens]

/** The tokens of a service account; a new one is shown once. */
export function AccountTokens({ account, onClose }: AccountTokensProps): ReactNode {
  const [name, setName] = useState('')
  const [limits, setLimits] = useState(NO_LIMITS)
  const known = useKnownPermissions()
  const tokens = useQuery(readAll(tokenRoutes.listTokens, { query: { limit: 500 } }))
  const create = useWrite(tokenRoutes.createToken, { changes: CHANGES, onDone: () => setName('') })
  const revoke = useWrite(tokenRoutes.revokeToken, { changes: CHANGES })
  const right = { permission: 'token.write', at: account.team_path } as const
  const shown = tokens.data && itemsOf(tokens.data).filter((token) => token.service_account_id === account.id)
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Tokens of ${account.team_path}/${account.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {create.data && <ShownOnce label="The new token" secret={create.data.token} />}
      <DataList
        label="Tokens"
        items={shown}
        keyOf={({ id }) => id}
        columns={[
          { key: 'name', header: 'Name', isPlain: true, cell: (token) => <ForeignText>{token.name}</ForeignText> },
          { key: 'ends', header: 'Ends with', cell: ({ last_four }) => `…${last_four}` },
          { key: 'limits', header: 'Limited to', cell: (token) => limitsInWords(token) },
          { key: 'used', header: 'Last used', cell: ({ last_used_at }) => <Instant at={last_used_at} /> },
          { key: 'expires', header: 'Expires', cell: ({ expires_at }) => <Instant at={expires_at} /> },
          {
            key: 'actions',
            header: 'Actions',
            isPlain: true,
            cell: ({ id }) => (
              <AllowedButton
                {...right}
                variant="subtle"
                color="danger"
                onClick={() => revoke.mutate({ params: { id } })}
              >
                Revoke
              </AllowedButton>
            ),
          },
        ]}
        error={tokens.error}
        empty={<EmptyState title="No token yet">Create the first one below.</EmptyState>}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ body: { name, service_account_id: account.id, ...sentLimits(limits, known) } })
        }}
      >
        <TextInput
          label="Name of a new token"
          required
          mt="md"
          value={name}
          error={fieldError(create.error, 'name')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TokenLimitsFields value={limits} onChange={setLimits} error={create.error} />
        <ProblemNotice error={create.error ?? revoke.error} marked={['name', ...LIMIT_FIELDS]} />
        <AllowedButton {...right} mt="sm" type="submit" loading={create.isPending}>
          Create a token
        </AllowedButton>
      </form>
    </Modal>
  )
}
