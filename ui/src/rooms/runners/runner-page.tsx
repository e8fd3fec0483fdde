import { TagsInput, TextInput } from '@mantine/core'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read, useEdited, useLive, useWrite } from '../../client/index.ts'
import { DeleteDialog } from '../../components/delete-dialog.tsx'
import { EditDialog } from '../../components/edit-dialog.tsx'
import {
  AllowedButton,
  CopyAs,
  Facts,
  fieldError,
  Instant,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { EVERY_TEAM } from '../../shell/index.ts'
import { type Runner, reasonOf, stateOf } from './runner.ts'
import { RunnerLeases } from './runner-leases.tsx'

const page = getRouteApi('/shell/runners/$id')
const CHANGES = [runnerRoutes.getRunner, runnerRoutes.listRunners, dispatchRoutes.getDispatcher]

/** One runner: what it can, what it has in hand, and what an operator does with it. */
export function RunnerPage(): ReactNode {
  const runner = useQuery(page.useLoaderData())
  useLive(['runners'], CHANGES)
  if (runner.data === undefined) {
    return <ObjectPending title="Runner" query={runner} />
  }
  return <LoadedRunner runner={runner.data.body} etag={runner.data.etag} />
}

interface LoadedRunnerProps {
  readonly runner: Runner
  readonly etag: string | undefined
}

function LoadedRunner({ runner, etag }: LoadedRunnerProps): ReactNode {
  const [dialog, setDialog] = useState<'change' | 'remove'>()
  const close = (): void => setDialog(undefined)
  const dispatcher = useQuery(read(dispatchRoutes.getDispatcher))
  const inUse = dispatcher.data?.runners.find(({ id }) => id === runner.id)?.in_use
  const change = useWrite(runnerRoutes.updateRunner, { changes: CHANGES, onDone: close })
  const params = { id: runner.id }
  const right = { permission: 'runner.write', at: runner.team_path, variant: 'default' } as const
  const team = runner.team_path === '/' ? EVERY_TEAM : runner.team_path
  return (
    <>
      <PageHeader
        title={runner.name}
        team={runner.team_path}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/runners" params={{ team }}>
            Runners
          </PageLink>,
        ]}
        badge={<StatusBadge status={stateOf(runner)} />}
        sentence={reasonOf(runner)}
        facts={[
          `${inUse ?? '–'} of ${runner.capacity} places in use`,
          <span key="seen">
            last seen <Instant at={runner.last_seen_at} />
          </span>,
          `version ${runner.version}`,
        ]}
        actions={
          <>
            <AllowedButton
              {...right}
              loading={change.isPending}
              onClick={() => change.mutate({ params, body: { draining: !runner.draining }, ifMatch: etag })}
            >
              {runner.draining ? 'End the drain' : 'Drain'}
            </AllowedButton>
            <AllowedButton
              {...right}
              loading={change.isPending}
              onClick={() => change.mutate({ params, body: { enabled: !runner.enabled }, ifMatch: etag })}
            >
              {runner.enabled ? 'Disable' : 'Enable'}
            </AllowedButton>
            <AllowedButton {...right} onClick={() => setDialog('change')}>
              Change
            </AllowedButton>
            <AllowedButton {...right} onClick={() => setDialog('remove')}>
              Remove
            </AllowedButton>
            <CopyAs path={`/v1/runners/${runner.id}`} command={['runner', 'show', runner.name]} />
          </>
        }
      />
      <ProblemNotice error={dialog === undefined ? change.error : null} />
      <RunnerLeases runnerId={runner.id} />
      <Section title="What it can do">
        <Facts
          facts={[
            ['Team', runner.team_path === '/' ? 'the platform' : runner.team_path],
            ['Serves', runner.scopes.join(', ')],
            ['Labels of the operator', runner.labels.join(', ')],
            ['Labels that it offers', runner.offered_labels.join(', ')],
            ['Executors', runner.executors.join(', ')],
            ['Enrolled', <Instant key="enrolled" at={runner.created_at} form="full" />],
            ['Connected', <Instant key="connected" at={runner.connected_at} form="full" />],
          ]}
        />
      </Section>
      {dialog === 'change' && <ChangeRunner runner={runner} etag={etag} onClose={close} />}
      {dialog === 'remove' && <RemoveRunner runner={runner} etag={etag} team={team} onClose={close} />}
    </>
  )
}

interface RunnerDialogProps {
  readonly runner: Runner
  readonly etag: string | undefined
  readonly onClose: () => void
}

interface RunnerDraft {
  readonly name: string
  readonly scopes: string[]
  readonly labels: string[]
}

function draftOf({ name, scopes, labels }: Runner): RunnerDraft {
  return { name, scopes: [...scopes], labels: [...labels] }
}

function ChangeRunner({ runner, etag, onClose }: RunnerDialogProps): ReactNode {
  const edited = useEdited({
    route: runnerRoutes.updateRunner,
    params: { id: runner.id },
    changes: CHANGES,
    stored: runner,
    etag,
    draftOf,
    documentOf: (draft: RunnerDraft) => draft,
    onSaved: onClose,
  })
  const { draft, error } = edited
  const set = (change: Partial<RunnerDraft>): void => edited.setDraft({ ...draft, ...change })
  return (
    <EditDialog title={`Change ${runner.name}`} edited={edited} marked={['name', 'scopes', 'labels']} onClose={onClose}>
      <TextInput
        label="Name"
        required
        value={draft.name}
        error={fieldError(error, 'name')}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <TagsInput
        label="Scopes"
        value={draft.scopes}
        error={fieldError(error, 'scopes')}
        onChange={(scopes) => set({ scopes })}
      />
      <TagsInput
        label="Labels"
        value={draft.labels}
        error={fieldError(error, 'labels')}
        onChange={(labels) => set({ labels })}
      />
    </EditDialog>
  )
}

function RemoveRunner({ runner, etag, team, onClose }: RunnerDialogProps & { readonly team: string }): ReactNode {
  const navigate = useNavigate()
  const remove = useWrite(runnerRoutes.deleteRunner, {
    changes: [runnerRoutes.listRunners],
    shown: [runnerRoutes.getRunner],
    onDone: () => void navigate({ to: '/t/$team/runners', params: { team } }),
  })
  return (
    <DeleteDialog
      title={`Remove ${runner.name}?`}
      loss="Its credential ends at once, and its tasks are lost. Drain it first to let them end."
      action="Remove"
      stored={{ ...draftOf(runner), enabled: runner.enabled, draining: runner.draining }}
      etag={etag}
      write={remove}
      onDelete={(ifMatch) => remove.mutate({ params: { id: runner.id }, ifMatch })}
      onClose={onClose}
    />
  )
}
