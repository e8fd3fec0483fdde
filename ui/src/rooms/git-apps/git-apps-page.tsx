import { Alert, SegmentedControl } from '@mantine/core'
import type { GitAppProvider } from '@signalbox/contracts/git-apps'
import { installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLive } from '../../client/index.ts'
import { CopyAs, EmptyState, PageHeader, ProblemNotice } from '../../components/index.ts'
import { LatestDeliveries } from '../sources/index.ts'
import { AppActions } from './app-actions.tsx'
import { AppFacts } from './app-facts.tsx'
import { AppPermissions } from './app-permissions.tsx'
import { ConnectForm } from './connect-form.tsx'
import { Doctor } from './doctor.tsx'
import { type App, appOf, CHANGES } from './git-app.ts'
import type { GitAppSearch } from './git-app-address.ts'
import styles from './git-apps-page.module.css'
import { Installations } from './installations.tsx'
import { describeOutcome } from './outcome.ts'
import { PROVIDER_CHOICES, PROVIDERS, readProvider } from './providers.ts'
import { RegisterForm } from './register-form.tsx'
import { Registration } from './registration.tsx'

const page = getRouteApi('/shell/system/git-apps')

/** The app of a provider: how it is registered, what it may do, and where it is installed. */
export function GitAppsPage(): ReactNode {
  const search = page.useSearch()
  const navigate = page.useNavigate()
  const { provider = 'github' } = search
  const read = useQuery(page.useLoaderData())
  const app = appOf(read.data?.body)
  return (
    <>
      <PageHeader
        title="Git apps"
        sentence="An app gives Signalbox short-lived rights at a provider, for the repositories that its accounts choose."
        facts={app ? [PROVIDERS[provider].name, app.name ?? app.app_id] : []}
        actions={
          <>
            {app && <AppActions app={app} etag={read.data?.etag} />}
            <CopyAs path={`/v1/git-apps/${provider}`} command={['git-app', 'status', '--provider', provider]} />
          </>
        }
      />
      <Outcome search={search} />
      <SegmentedControl
        className={styles['choice']}
        aria-label="Provider"
        size="xs"
        data={PROVIDER_CHOICES}
        value={provider}
        onChange={(chosen) => void navigate({ search: { provider: readProvider(chosen) ?? 'github' } })}
      />
      <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />
      {read.data && !app && <Unregistered key={provider} provider={provider} />}
      {app && <Registered key={provider} app={app} />}
    </>
  )
}

/** What the way back from the provider did. */
function Outcome({ search }: { readonly search: GitAppSearch }): ReactNode {
  const told = describeOutcome(search)
  if (!told) return null
  return (
    <Alert
      className={styles['told']}
      color={told.isGood ? 'good' : 'danger'}
      variant="light"
      role={told.isGood ? 'status' : 'alert'}
      title={told.title}
    >
      {told.sentence}
    </Alert>
  )
}

function Unregistered({ provider }: { readonly provider: GitAppProvider }): ReactNode {
  return (
    <>
      {PROVIDERS[provider].hasApps && <Registration provider={provider} />}
      {PROVIDERS[provider].hasApps && <RegisterForm provider={provider} />}
      <ConnectForm provider={provider} />
    </>
  )
}

function Registered({ app }: { readonly app: App }): ReactNode {
  // News of installations comes through the source of the app.
  useLive(app.source_id ? [`deliveries:${app.source_id}`] : [], [
    ...CHANGES,
    installationRoutes.listInstallationRepositories,
  ])
  return (
    <>
      <AppFacts app={app} />
      <Installations app={app} />
      <Doctor app={app} />
      {app.source_id && app.team_path && (
        <LatestDeliveries
          sourceId={app.source_id}
          team={app.team_path}
          empty={
            <EmptyState title="No delivery yet">
              What {PROVIDERS[app.provider].name} sends appears here by itself. The doctor says whether it can.
            </EmptyState>
          }
        />
      )}
      {PROVIDERS[app.provider].hasApps && <AppPermissions app={app} />}
    </>
  )
}
