import { Group, Stack } from '@mantine/core'
import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEdited, useWrite } from '../../client/index.ts'
import { DeleteDialog } from '../../components/delete-dialog.tsx'
import { EditForm } from '../../components/edit-form.tsx'
import { AllowedButton, CopyAs, PageHeader, PageLink, ProblemNotice, StatusBadge } from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { EVERY_TEAM } from '../../shell/index.ts'
import { Simulation } from './simulation.tsx'
import { documentOf, draftOf, emptyDraft, SOURCE_LOST, type Trigger } from './trigger.ts'
import { TRIGGER_FIELDS, TriggerFields } from './trigger-fields.tsx'
import styles from './trigger-page.module.css'

const page = getRouteApi('/shell/triggers/$id')
const newPage = getRouteApi('/shell/t/$team/triggers/new')
const CHANGES = [triggerRoutes.listTriggers, triggerRoutes.getTrigger]

/** A trigger that is not there yet. */
export function NewTriggerPage(): ReactNode {
  const { team } = newPage.useParams()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => emptyDraft(team === EVERY_TEAM ? '' : team))
  const create = useWrite(triggerRoutes.createTrigger, {
    changes: CHANGES,
    onDone: ({ id }) => void navigate({ to: '/triggers/$id', params: { id } }),
  })
  const document = documentOf(draft)
  return (
    <>
      <PageHeader
        title="Create a trigger"
        breadcrumb={[
          <PageLink key="list" to="/t/$team/triggers" params={{ team }}>
            Triggers
          </PageLink>,
        ]}
      />
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ body: document })
        }}
      >
        <Stack gap="md">
          <TriggerFields draft={draft} onChange={setDraft} error={create.error} />
          <ProblemNotice error={create.error} marked={TRIGGER_FIELDS} />
          <Group>
            <AllowedButton
              type="submit"
              permission="trigger.write"
              at={draft.teamPath === '' ? '/' : draft.teamPath}
              loading={create.isPending}
            >
              Create
            </AllowedButton>
          </Group>
        </Stack>
      </form>
      <Simulation document={document} />
    </>
  )
}

/** One trigger, to read, to change and to try. */
export function TriggerPage(): ReactNode {
  const trigger = useQuery(page.useLoaderData())
  if (trigger.data === undefined) {
    return <ObjectPending title="Trigger" query={trigger} />
  }
  const { body, etag } = trigger.data
  return <LoadedTrigger key={body.id} trigger={body} etag={etag} />
}

interface LoadedTriggerProps {
  readonly trigger: Trigger
  readonly etag: string | undefined
}

function LoadedTrigger({ trigger, etag }: LoadedTriggerProps): ReactNode {
  const navigate = useNavigate()
  const edited = useEdited({
    route: triggerRoutes.replaceTrigger,
    params: { id: trigger.id },
    changes: CHANGES,
    stored: trigger,
    etag,
    draftOf,
    documentOf,
  })
  const [isDeleting, setDeleting] = useState(false)
  const remove = useWrite(triggerRoutes.deleteTrigger, {
    changes: [triggerRoutes.listTriggers],
    shown: [triggerRoutes.getTrigger],
    onDone: () => void navigate({ to: '/t/$team/triggers', params: { team: trigger.team_path } }),
  })
  return (
    <>
      <PageHeader
        title={trigger.name}
        team={trigger.team_path}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/triggers" params={{ team: trigger.team_path }}>
            Triggers of {trigger.team_path}
          </PageLink>,
        ]}
        badge={
          <StatusBadge status={trigger.source_lost_at !== null ? 'broken' : trigger.enabled ? 'enabled' : 'disabled'} />
        }
        sentence={trigger.source_lost_at === null ? `Its runs start on behalf of ${trigger.owner.name}.` : SOURCE_LOST}
        actions={
          <>
            <AllowedButton
              permission="trigger.write"
              at={trigger.team_path}
              variant="default"
              onClick={() => setDeleting(true)}
            >
              Delete
            </AllowedButton>
            <CopyAs path={`/v1/triggers/${trigger.id}`} command={['trigger', 'show', trigger.id]} />
          </>
        }
      />
      <EditForm
        edited={edited}
        marked={TRIGGER_FIELDS}
        permission="trigger.write"
        at={trigger.team_path}
        className={styles['form']}
      >
        <TriggerFields draft={edited.draft} onChange={edited.setDraft} error={edited.error} />
      </EditForm>
      <Simulation document={edited.document} />
      {isDeleting && (
        <DeleteDialog
          title={`Delete ${trigger.name}?`}
          loss="Events start nothing by it from then on. Runs that it started go on."
          stored={documentOf(draftOf(trigger))}
          etag={etag}
          write={remove}
          onDelete={(ifMatch) => remove.mutate({ params: { id: trigger.id }, ifMatch })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
