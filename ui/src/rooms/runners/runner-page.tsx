import { TagsInput, Text, TextInput } from '@mantine/core'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { read, useLive, useWrite } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  Facts,
  FormDialog,
  fieldError,
  Instant,
  PageHeader,
  PageLink,
  ProblemNotice,
  Section,
  StatusBadge,
} from '../../components/index.ts'
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
    return (
      <>
        <PageHeader title="Runner" />
        <ProblemNotice error={runner.error} onRetry={() => void runner.refetch()} />
      </>
    )
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
              onClick={() => change.mutate({ params, body: { draining: !runner.draining } })}
            >
              {runner.draining ? 'End the drain' : 'Drain'}
            </AllowedButton>
            <AllowedButton
              {...right}
              loading={change.isPending}
              onClick={() => change.mutate({ params, body: { enabled: !runner.enabled } })}
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
      {dialog === 'remove' && <RemoveRunner runner={runner} team={team} onClose={close} />}
    </>
  )
}

interface ChangeRunnerProps {
  readonly runner: Runner
  readonly etag: string | undefined
  readonly onClose: () => void
}

function ChangeRunner({ runner, etag, onClose }: ChangeRunnerProps): ReactNode {
  // As it was when the dialog was opened: a newer version is met at save.
  const [ifMatch] = useState(etag)
  const [name, setName] = useState(runner.name)
  const [scopes, setScopes] = useState<string[]>([...runner.scopes])
  const [labels, setLabels] = useState<string[]>([...runner.labels])
  const change = useWrite(runnerRoutes.updateRunner, { changes: CHANGES, onDone: onClose })
  return (
    <FormDialog
      title={`Change ${runner.name}`}
      isOpen
      onClose={onClose}
      onSubmit={() => change.mutate({ params: { id: runner.id }, body: { name, scopes, labels }, ifMatch })}
      action="Save"
      isSending={change.isPending}
      error={change.error}
      marked={['name', 'scopes', 'labels']}
    >
      <TextInput
        label="Name"
        required
        value={name}
        error={fieldError(change.error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TagsInput label="Scopes" value={scopes} error={fieldError(change.error, 'scopes')} onChange={setScopes} />
      <TagsInput label="Labels" value={labels} error={fieldError(change.error, 'labels')} onChange={setLabels} />
    </FormDialog>
  )
}

interface RemoveRunnerProps {
  readonly runner: Runner
  readonly team: string
  readonly onClose: () => void
}

function RemoveRunner({ runner, team, onClose }: RemoveRunnerProps): ReactNode {
  const navigate = useNavigate()
  const remove = useWrite(runnerRoutes.deleteRunner, {
    changes: [runnerRoutes.listRunners],
    onDone: () => void navigate({ to: '/t/$team/runners', params: { team } }),
  })
  return (
    <FormDialog
      title={`Remove ${runner.name}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => remove.mutate({ params: { id: runner.id } })}
      action="Remove"
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
    >
      <Text>Its credential ends at once, and its tasks are lost. Drain it first to let them end.</Text>
    </FormDialog>
  )
}
