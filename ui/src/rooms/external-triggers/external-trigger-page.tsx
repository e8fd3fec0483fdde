import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEdited } from '../../client/index.ts'
import { EditForm } from '../../components/edit-form.tsx'
import { Facts, Instant, PageHeader, PageLink, Section, StatusBadge } from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { documentOf, draftOf, type ExternalTrigger, wholeAddress } from './external-trigger.ts'
import { ExternalTriggerActions } from './external-trigger-actions.tsx'
import { EXTERNAL_TRIGGER_FIELDS, ExternalTriggerFields } from './external-trigger-fields.tsx'
import styles from './external-trigger-page.module.css'
import { LastFire } from './last-fire.tsx'

const page = getRouteApi('/shell/external-triggers/$id')

/** One external trigger: its address, its last fire, its secret and its document. */
export function ExternalTriggerPage(): ReactNode {
  const trigger = useQuery(page.useLoaderData())
  if (trigger.data === undefined) {
    return <ObjectPending title="External trigger" query={trigger} />
  }
  const { body, etag } = trigger.data
  return <LoadedExternalTrigger key={body.id} trigger={body} etag={etag} />
}

interface LoadedProps {
  readonly trigger: ExternalTrigger
  readonly etag: string | undefined
}

function LoadedExternalTrigger({ trigger, etag }: LoadedProps): ReactNode {
  return (
    <>
      <PageHeader
        title={trigger.name}
        team={trigger.team_path}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/external-triggers" params={{ team: trigger.team_path }}>
            External triggers of {trigger.team_path}
          </PageLink>,
        ]}
        badge={<StatusBadge status={trigger.enabled ? 'enabled' : 'disabled'} />}
        sentence={`A request with its secret starts ${trigger.pipeline} on behalf of ${trigger.owner.name}.`}
        actions={<ExternalTriggerActions trigger={trigger} etag={etag} />}
      />
      <Section title="How it is fired">
        <Facts
          facts={[
            ['Address', wholeAddress(trigger.url, document.baseURI)],
            ['Secret set', <Instant key="set" at={trigger.secret_set_at} />],
            ['Last fire', <LastFire key="fire" trigger={trigger} />],
          ]}
        />
      </Section>
      <Section title="Settings">
        <EditExternalTrigger trigger={trigger} etag={etag} />
      </Section>
    </>
  )
}

function EditExternalTrigger({ trigger, etag }: LoadedProps): ReactNode {
  const edited = useEdited({
    route: externalTriggerRoutes.replaceExternalTrigger,
    params: { id: trigger.id },
    changes: [externalTriggerRoutes.getExternalTrigger, externalTriggerRoutes.listExternalTriggers],
    stored: trigger,
    etag,
    draftOf,
    documentOf,
  })
  return (
    <EditForm
      edited={edited}
      marked={EXTERNAL_TRIGGER_FIELDS}
      permission="external_trigger.write"
      at={trigger.team_path}
      className={styles['form']}
    >
      <ExternalTriggerFields draft={edited.draft} onChange={edited.setDraft} error={edited.error} />
    </EditForm>
  )
}
