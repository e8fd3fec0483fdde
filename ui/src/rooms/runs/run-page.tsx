import { Tabs } from '@mantine/core'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useLive } from '../../client/index.ts'
import { ObjectPending } from '../../components/object-pending.tsx'
import { Approvals } from './approvals.tsx'
import { Artifacts } from './artifacts/artifacts.tsx'
import { Attempts } from './attempts.tsx'
import { Overview } from './overview.tsx'
import { runQuery } from './queries.ts'
import { AtProvider } from './results/at-provider.tsx'
import { FinalOutputs } from './results/final-outputs.tsx'
import { Policies } from './results/policies.tsx'
import { Values } from './results/values.tsx'
import type { Run } from './run.ts'
import { RunActions } from './run-actions.tsx'
import { TABS, type Tab } from './run-address.ts'
import { RunHead } from './run-head.tsx'
import styles from './run-page.module.css'
import { useRunAddress } from './use-run-address.ts'
import { Why } from './why/why.tsx'

const page = getRouteApi('/shell/runs/$id')

/** A run: why it is as it is, what its tasks did, and what it left. */
export function RunPage(): ReactNode {
  const { id } = page.useParams()
  const run = useQuery(runQuery(id))
  useLive([`run:${id}`], [runRoutes.getRun])
  if (run.data === undefined) {
    return <ObjectPending title="Run" query={run} />
  }
  return (
    <>
      <RunHead run={run.data} actions={<RunActions run={run.data} />} />
      <RunTabs run={run.data} />
    </>
  )
}

const LABELS: Readonly<Record<Tab, string>> = {
  overview: 'Overview',
  why: 'Why',
  attempts: 'Attempts',
  values: 'Variables and outputs',
  results: 'Final outputs',
  artifacts: 'Artifacts',
  approvals: 'Approvals',
  policies: 'Policies',
  told: 'At the provider',
}

const PANELS: Readonly<Record<Tab, ComponentType<{ readonly run: Run }>>> = {
  overview: Overview,
  why: Why,
  attempts: Attempts,
  values: Values,
  results: FinalOutputs,
  artifacts: Artifacts,
  approvals: Approvals,
  policies: Policies,
  told: AtProvider,
}

function RunTabs({ run }: { readonly run: Run }): ReactNode {
  const { address, show } = useRunAddress()
  const shown = address.tab ?? 'overview'
  const Panel = PANELS[shown]
  const waiting = run.approval_requests.filter(({ status }) => status === 'waiting').length + (run.hold ? 1 : 0)
  return (
    <Tabs value={shown} onChange={(value) => show({ tab: TABS.find((each) => each === value) ?? 'overview' })}>
      <Tabs.List mb="lg" aria-label="Parts of the run" className={styles['tabs']}>
        {TABS.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {LABELS[tab]}
            {tab === 'approvals' && waiting > 0 && ` (${waiting} waiting)`}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* The tabs that are not shown have empty panels, so that each tab names one. */}
      {TABS.map((tab) => (
        <Tabs.Panel key={tab} value={tab}>
          {tab === shown && <Panel run={run} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
