import { Group, Stack, Text } from '@mantine/core'
import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { readDocument, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  ConflictNotice,
  Facts,
  Instant,
  isConflict,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import { documentOf, draftOf, type ExternalTrigger, wholeAddress } from './external-trigger.ts'
import { ExternalTriggerActions } from './external-trigger-actions.tsx'
import { EXTERNAL_TRIGGER_FIELDS, ExternalTriggerFields } from './external-trigger-fields.tsx'
import styles from './external-trigger-page.module.css'
import { LastFire } from './last-fire.tsx'

const page = getRouteApi('/shell/external-triggers/$id')

/** One external trigger: its address, its last fire, its secret and its document. */
export function ExternalTriggerPage(): ReactNode {
  const { id } = page.useParams()
  const trigger = useQuery(readDocument(externalTriggerRoutes.getExternalTrigger, { params: { id } }))
  if (trigger.data === undefined) {
    return (
      <>
        <PageHeader title="External trigger" />
        <ProblemNotice error={trigger.error} onRetry={() => void trigger.refetch()} />
      </>
    )
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
      <Section title="Change it">
        <EditExternalTrigger trigger={trigger} etag={etag} />
      </Section>
    </>
  )
}

function EditExternalTrigger({ trigger, etag }: LoadedProps): ReactNode {
  // As they were when the person began: a newer version is met at save.
  const [base, setBase] = useState({ trigger, etag })
  const [draft, setDraft] = useState(() => draftOf(trigger))
  const changed = documentOf(draft)
  const replace = useWrite(externalTriggerRoutes.replaceExternalTrigger, {
    changes: [externalTriggerRoutes.getExternalTrigger, externalTriggerRoutes.listExternalTriggers],
  })
  // Our own save is the new base once it was read again.
  const isSaved = replace.isSuccess && replace.data.updated_at === trigger.updated_at
  if (isSaved && base.etag !== etag) setBase({ trigger, etag })
  const save = (ifMatch: string | undefined): void =>
    replace.mutate({ params: { id: trigger.id }, body: changed, ifMatch })
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        save(base.etag)
      }}
    >
      <Stack gap="md">
        <ExternalTriggerFields draft={draft} onChange={setDraft} error={replace.error} />
        <ConflictNotice
          error={replace.error}
          mine={JSON.stringify(changed, null, 2)}
          theirs={JSON.stringify(documentOf(draftOf(trigger)), null, 2)}
          onTakeTheirs={() => {
            setBase({ trigger, etag })
            setDraft(draftOf(trigger))
            replace.reset()
          }}
          onKeepMine={() => save(etag)}
        />
        {!isConflict(replace.error) && <ProblemNotice error={replace.error} marked={EXTERNAL_TRIGGER_FIELDS} />}
        <Group gap="sm">
          <AllowedButton
            type="submit"
            permission="external_trigger.write"
            at={trigger.team_path}
            loading={replace.isPending}
          >
            Save
          </AllowedButton>
          <Text size="sm" component="output">
            {isSaved ? 'Saved.' : ''}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}
