import { Skeleton, Tabs } from '@mantine/core'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useLive } from '../../client/index.ts'
import {
  AllowedButton,
  CopyAs,
  ForeignText,
  Instant,
  lazyPart,
  PageHeader,
  PageLink,
  StatusBadge,
} from '../../components/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { WhyRun } from '../../components/why-run.tsx'
import { Causes } from './causes/causes.tsx'
import { DeletePipeline } from './delete-pipeline.tsx'
import type { Pipeline } from './pipeline.ts'
import { TABS, type Tab } from './pipeline-address.ts'
import { PipelineRuns } from './pipeline-runs.tsx'
import { RunForm } from './run/run-form.tsx'
import { useResults } from './use-results.ts'
import { Versions } from './versions/versions.tsx'

// The editor is loaded where it is shown.
const DocumentTab = lazyPart(async () => (await import('./document-tab.tsx')).DocumentTab, {
  waiting: <Skeleton height="20rem" />,
})

const page = getRouteApi('/shell/pipelines/$id')

/** One pipeline: how it fares, what it says, what starts it, and how it came to be. */
export function PipelinePage(): ReactNode {
  const pipeline = useQuery(page.useLoaderData())
  if (pipeline.data === undefined) {
    return <ObjectPending title="Pipeline" query={pipeline} />
  }
  return <LoadedPipeline key={pipeline.data.id} pipeline={pipeline.data} />
}

function LoadedPipeline({ pipeline }: { readonly pipeline: Pipeline }): ReactNode {
  const address = page.useSearch()
  const navigate = page.useNavigate()
  const tab = address.tab ?? 'runs'
  const results = useResults([pipeline.id])?.get(pipeline.id)
  useLive([`runs:${pipeline.team_path}`], [runRoutes.listPipelineResults, runRoutes.listRuns])
  const [last] = results ?? []
  const openRunForm = (run: boolean): void =>
    void navigate({ search: ({ run: _, ...rest }) => (run ? { ...rest, run } : rest), replace: true })
  return (
    <>
      <PageHeader
        title={pipeline.name}
        team={pipeline.team_path}
        breadcrumb={[
          <PageLink key="list" to="/t/$team/pipelines" params={{ team: pipeline.team_path }}>
            Pipelines of {pipeline.team_path}
          </PageLink>,
        ]}
        badge={
          last && (
            <>
              <StatusBadge status={last.status} />
              <WhyRun id={last.run_id} status={last.status} of="the last run" />
            </>
          )
        }
        facts={[
          `Version ${pipeline.version}`,
          <>
            saved by <ForeignText>{pipeline.saved_by}</ForeignText>
          </>,
          <Instant key="saved" at={pipeline.updated_at} />,
          pipeline.profile !== null && `profile ${pipeline.profile}`,
        ].filter((fact) => fact !== false)}
        actions={<Actions pipeline={pipeline} onRun={() => openRunForm(true)} />}
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(chosen) => void navigate({ search: chosen === 'runs' || !isTab(chosen) ? {} : { tab: chosen } })}
      >
        <Tabs.List mb="md">
          {Object.entries(TABS).map(([key, label]) => (
            <Tabs.Tab key={key} value={key}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="runs">
          <PipelineRuns pipeline={pipeline} results={results ?? []} onRun={() => openRunForm(true)} />
        </Tabs.Panel>
        <Tabs.Panel value="document">
          <DocumentTab pipeline={pipeline} />
        </Tabs.Panel>
        <Tabs.Panel value="causes">
          <Causes pipeline={pipeline} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions pipeline={pipeline} />
        </Tabs.Panel>
      </Tabs>
      {address.run && <RunForm pipeline={pipeline} onClose={() => openRunForm(false)} />}
    </>
  )
}

function isTab(value: string | null): value is Tab {
  return value !== null && Object.hasOwn(TABS, value)
}

function Actions({ pipeline, onRun }: { readonly pipeline: Pipeline; readonly onRun: () => void }): ReactNode {
  const navigate = page.useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <AllowedButton permission="run.start" at={pipeline.team_path} onClick={onRun}>
        Run
      </AllowedButton>
      <AllowedButton
        permission="pipeline.write"
        at={pipeline.team_path}
        variant="default"
        onClick={() => void navigate({ to: '/pipelines/$id/edit', params: { id: pipeline.id } })}
      >
        Edit
      </AllowedButton>
      <AllowedButton
        permission="pipeline.write"
        at={pipeline.team_path}
        variant="default"
        onClick={() => setDeleting(true)}
      >
        Delete
      </AllowedButton>
      <CopyAs path={`/v1/pipelines/${pipeline.id}`} command={['pipeline', 'show', pipeline.identifier]} />
      {isDeleting && <DeletePipeline pipeline={pipeline} onClose={() => setDeleting(false)} />}
    </>
  )
}
