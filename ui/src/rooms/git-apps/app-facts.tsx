import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  type Column,
  DataList,
  EmptyState,
  Facts,
  ForeignText,
  Instant,
  OutsideLink,
  PageLink,
  Section,
} from '../../components/index.ts'
import type { App, AppKey } from './git-app.ts'
import { PROVIDERS } from './providers.ts'

const KINDS: Readonly<Record<AppKey['kind'], string>> = {
  private_key: 'Private key',
  webhook_secret: 'Webhook secret',
}

/** What is known of the app, and its keys by their fingerprints. */
export function AppFacts({ app }: { readonly app: App }): ReactNode {
  const { hasApps } = PROVIDERS[app.provider]
  const { html_url: address, source_id: source } = app
  return (
    <>
      <Section title={hasApps ? 'The app' : 'The connection'}>
        <Facts
          facts={[
            ['Name', app.name && <ForeignText>{app.name}</ForeignText>],
            [hasApps ? 'Id' : 'Account', <ForeignText key="id">{app.app_id}</ForeignText>],
            ['Owner', app.account && <ForeignText>{app.account}</ForeignText>],
            ['Provider', app.base_url],
            ['Its page', address && <OutsideLink href={address}>settings at the provider</OutsideLink>],
            ['Stored token', app.credential_ref && <Code>{app.credential_ref}</Code>],
            ['Team', app.team_path],
            ['Webhook address', app.webhook_url && <Code>{app.webhook_url}</Code>],
            [
              'Its source',
              source ? (
                <PageLink key="source" to="/sources/$id" params={{ id: source }}>
                  health and latest deliveries
                </PageLink>
              ) : (
                'none: it is made with a team and a webhook secret'
              ),
            ],
            ['Events', app.events?.join(', ')],
            ['Changed', app.updated_at && <Instant at={app.updated_at} form="full" />],
          ]}
        />
      </Section>
      <Section title="Keys">
        <DataList
          label="Keys of the app"
          columns={COLUMNS}
          items={app.keys ?? []}
          keyOf={({ kind, fingerprint }) => `${kind} ${fingerprint}`}
          empty={
            <EmptyState title="No key is stored">
              {hasApps
                ? 'Without a private key nobody acts as the app. Make one at the provider and store it by "New keys".'
                : 'The stored token stands for the account. A webhook secret makes the source of the connection.'}
            </EmptyState>
          }
        />
      </Section>
    </>
  )
}

const COLUMNS: readonly Column<AppKey>[] = [
  { key: 'kind', header: 'Key', isPlain: true, cell: ({ kind }) => KINDS[kind] },
  { key: 'fingerprint', header: 'SHA-256', cell: ({ fingerprint }) => <Code>{fingerprint}</Code> },
  { key: 'age', header: 'Stored', cell: ({ created_at }) => <Instant at={created_at} /> },
]
