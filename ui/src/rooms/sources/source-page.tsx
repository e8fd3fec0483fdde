import { Text } from '@mantine/core'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read, useLive, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  EmptyState,
  ForeignText,
  FormDialog,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { Connections } from './connections.tsx'
import { LatestDeliveries } from './latest-deliveries.tsx'
import { PasteValues } from './paste-values.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import type { Source } from './source.ts'
import { SourceCommands } from './source-commands.tsx'
import { SourceHealthView } from './source-health.tsx'
import { SourceRecoveries } from './source-recoveries.tsx'
import { SourceSettings } from './source-settings.tsx'

const page = getRouteApi('/shell/sources/$id')

/** One source: its health, the values to paste, its settings, its webhooks and its latest deliveries. */
export function SourcePage(): ReactNode {
  const source = useQuery(page.useLoaderData())
  if (source.data === undefined) {
    return <ObjectPending title="Source" query={source} />
  }
  return <LoadedSource key={source.data.body.id} source={source.data.body} etag={source.data.etag} />
}

interface LoadedSourceProps {
  readonly source: Source
  readonly etag: string | undefined
}

function LoadedSource({ source, etag }: LoadedSourceProps): ReactNode {
  const params = { sourceID: source.id }
  const health = useQuery(read(sourceRoutes.getSourceHealth, { params }))
  useLive([`deliveries:${source.id}`], [sourceRoutes.getSourceHealth])
  const change = useWrite(sourceRoutes.updateSource, { changes: [sourceRoutes.getSource, sourceRoutes.listSources] })
  const [isDeleting, setDeleting] = useState(false)
  const right = { permission: 'webhook_source.write', at: source.team_path, variant: 'default' } as const
  return (
    <>
      <PageHeader
        title={source.name}
        team={source.team_path}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/sources" params={{ team: source.team_path }}>
            Sources of {source.team_path}
          </PageLink>,
        ]}
        badge={<StatusBadge status={source.enabled ? (health.data?.status ?? 'pending') : 'disabled'} />}
        sentence={<ForeignText>{health.data?.sentence}</ForeignText>}
        facts={[source.provider, `${source.connected_trigger_count} triggers`, `seen by ${source.visibility} triggers`]}
        actions={
          <>
            <AllowedButton
              {...right}
              loading={change.isPending}
              onClick={() => change.mutate({ params, body: { enabled: !source.enabled }, ifMatch: etag })}
            >
              {source.enabled ? 'Disable' : 'Enable'}
            </AllowedButton>
            <AllowedButton {...right} onClick={() => setDeleting(true)}>
              Delete
            </AllowedButton>
            <CopyAs path={`/v1/git-webhook-sources/${source.id}`} command={['source', 'show', source.id]} />
          </>
        }
      />
      <ProblemNotice error={change.error} />
      {health.data && <SourceHealthView source={source} health={health.data} />}
      <Section title="At the provider" actions={<RotateSecret source={source} />}>
        <PasteValues source={source} />
        <Connections source={source} />
      </Section>
      {health.data && <SourceRecoveries source={source} standing={health.data.recovery} />}
      <SourceSettings source={source} etag={etag} />
      <SourceCommands source={source} />
      <LatestDeliveries
        sourceId={source.id}
        team={source.team_path}
        empty={
          <EmptyState title="Waiting for the first delivery">
            Enter the values above at the provider. What it sends appears here by itself.
          </EmptyState>
        }
      />
      {isDeleting && <DeleteSource source={source} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteSource({ source, onClose }: { readonly source: Source; readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  const remove = useWrite(sourceRoutes.deleteSource, {
    changes: [sourceRoutes.listSources],
    onDone: () => void navigate({ to: '/t/$team/sources', params: { team: source.team_path } }),
  })
  return (
    <FormDialog
      title={`Delete ${source.name}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => remove.mutate({ params: { sourceID: source.id }, query: { if_unused: true } })}
      action="Delete"
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
    >
      <Text>Deliveries to its address are answered 404 from then on. A source that triggers use is not deleted.</Text>
    </FormDialog>
  )
}
