import { PasswordInput, Text, TextInput } from '@mantine/core'
import { connectionRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { read, useLive, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  DataList,
  EmptyState,
  ForeignText,
  FormDialog,
  fieldError,
  Instant,
  StatusBadge,
} from '../../components/index.ts'
import type { Source } from './source.ts'

const CHANGES = [connectionRoutes.listConnections]

/** The webhooks that the service made at the provider itself. */
export function Connections({ source }: { readonly source: Source }): ReactNode {
  const params = { sourceID: source.id }
  const connections = useQuery(read(connectionRoutes.listConnections, { params }))
  useLive([`deliveries:${source.id}`], CHANGES)
  const [isConnecting, setConnecting] = useState(false)
  const [leaving, setLeaving] = useState<string>()
  const disconnect = useWrite(connectionRoutes.disconnectRepository, {
    changes: CHANGES,
    onDone: () => setLeaving(undefined),
  })
  const right = { permission: 'webhook_source.write', at: source.team_path } as const
  const connect = (
    <AllowedButton {...right} variant="default" mt="sm" onClick={() => setConnecting(true)}>
      Create the webhook from here
    </AllowedButton>
  )
  return (
    <>
      <DataList
        label="Webhooks made by Signalbox"
        items={connections.data}
        keyOf={({ repository }) => repository}
        columns={[
          { key: 'state', header: 'State', isPlain: true, cell: ({ state }) => <StatusBadge status={state} /> },
          {
            key: 'repository',
            header: 'Repository',
            isPlain: true,
            cell: ({ repository }) => <ForeignText>{repository}</ForeignText>,
          },
          { key: 'reason', header: 'Why', isPlain: true, cell: ({ reason }) => <ForeignText>{reason}</ForeignText> },
          { key: 'checked', header: 'Asked', cell: ({ checked_at }) => <Instant at={checked_at} /> },
          {
            key: 'actions',
            header: 'Actions',
            isPlain: true,
            cell: ({ repository }) => (
              <AllowedButton {...right} variant="subtle" color="danger" onClick={() => setLeaving(repository)}>
                Remove
              </AllowedButton>
            ),
          },
        ]}
        error={connections.error}
        empty={
          <EmptyState title="No webhook made by Signalbox">
            Paste the values above at the provider, or let Signalbox make the webhook with a token of yours.
          </EmptyState>
        }
      />
      {connect}
      {isConnecting && <Connect source={source} onClose={() => setConnecting(false)} />}
      <FormDialog
        title={`Remove the webhook of ${leaving ?? ''}?`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onSubmit={() => {
          if (leaving !== undefined) disconnect.mutate({ params, body: { repository: leaving } })
        }}
        action="Remove"
        isDangerous
        isSending={disconnect.isPending}
        error={disconnect.error}
      >
        <Text>Every webhook of the repository that sends to this source goes.</Text>
      </FormDialog>
    </>
  )
}

function Connect({ source, onClose }: { readonly source: Source; readonly onClose: () => void }): ReactNode {
  const [repository, setRepository] = useState('')
  const [token, setToken] = useState('')
  const connect = useWrite(connectionRoutes.connectRepository, { changes: CHANGES, onDone: onClose })
  return (
    <FormDialog
      title="Create a webhook at the provider"
      isOpen
      onClose={onClose}
      onSubmit={() =>
        connect.mutate({
          params: { sourceID: source.id },
          body: { repository, ...(token === '' ? {} : { token }) },
        })
      }
      action="Create it"
      isSending={connect.isPending}
      error={connect.error}
      marked={['repository', 'token']}
    >
      <TextInput
        label="Repository"
        required
        placeholder="owner/repository"
        value={repository}
        error={fieldError(connect.error, 'repository')}
        onChange={({ currentTarget }) => setRepository(currentTarget.value)}
      />
      <PasswordInput
        label="Token of the provider"
        description="It may manage webhooks. It is used this once, and not stored. Empty: the credential of the source."
        autoComplete="off"
        value={token}
        error={fieldError(connect.error, 'token')}
        onChange={({ currentTarget }) => setToken(currentTarget.value)}
      />
    </FormDialog>
  )
}
