import { type GithubForge, startGithub } from '../e2e/forge/github/index.ts'
import { waitFor } from '../e2e/house/wait.ts'
import { peakMegabytes, residentMegabytes, startPeakAnew } from './cpu.ts'
import { type HouseUnderTest, openHouseUnderTest } from './house-under-test.ts'
import type { Figure, Report, Table } from './report.ts'

const REPOSITORIES = 10_000
/** The most that the provider tells in one answer. */
const PAGE = 100
const PAGES = REPOSITORIES / PAGE
const ACCOUNT = 'acme'
const APP = '/v1/git-apps/github'

/** The repositories of a large installation are read: anew, when nothing changed, and when one came. */
export async function benchGitApps(): Promise<Report> {
  await using subject = await openHouseUnderTest()
  const forge = await startGithub()
  try {
    const installation = await connect(subject, forge)
    const before = residentMegabytes(subject.house.pid)
    const rounds = {
      first: await refresh(subject, forge, installation),
      unchanged: await refresh(subject, forge, installation),
      grown: await growAndRefresh(subject, forge, installation),
    }
    forge.assertQuiet()
    return {
      name: 'git-apps',
      says: `an installation of ${REPOSITORIES} repositories is refreshed, against a fake forge of this machine`,
      figures: figuresOf(rounds, before),
      tables: [tableOf(rounds)],
    }
  } finally {
    await forge.close()
  }
}

/** Registers and installs the app for one repository. The others come without a word of the forge, so that nothing reads them before. */
async function connect(subject: HouseUnderTest, forge: GithubForge): Promise<string> {
  const { api } = subject.house
  const addRepository = (name: string) => forge.addRepository(`${ACCOUNT}/${name}`, { branches: ['main'] })
  await addRepository('repository-1')
  await api.send('POST', '/v1/teams', { path: ACCOUNT })
  const asked = { organization: ACCOUNT, base_url: forge.url, team_path: ACCOUNT }
  const started = await api.send<{ url: string; manifest: unknown }>('POST', `${APP}/register/start`, asked)
  await follow(await forge.confirmRegistration(started.url, started.manifest))
  const { url } = await api.send<{ url: string }>('POST', `${APP}/install/start`)
  const installed = await forge.confirmInstallation(url, { account: ACCOUNT, repositories: ['repository-1'] })
  await follow(installed)
  await forge.mailbox.settle()
  const path = `${APP}/installations/${installed.searchParams.get('installation_id')}/refresh`
  await waitFor(
    'refreshes by jobs',
    () => countRefreshes(subject),
    (waiting) => waiting === 0,
  )
  for (let at = 2; at <= REPOSITORIES; at++) await addRepository(`repository-${at}`)
  for (const installation of forge.world.installations.values()) installation.selection = 'all'
  return path
}

/** The callback and the webhooks have asked for some. */
async function countRefreshes({ query }: HouseUnderTest): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    `select count(*)::int as waiting from graphile_worker._private_jobs as job
     join graphile_worker._private_tasks as task on task.id = job.task_id
     where task.identifier = 'git_apps.refresh-installation'`,
  )
  return row?.waiting ?? 0
}

async function follow(back: URL): Promise<void> {
  const response = await fetch(back, { redirect: 'manual' })
  if (response.headers.get('location')?.includes('?outcome=') !== true) {
    throw new Error(`The way back led to ${response.headers.get('location')}`)
  }
}

interface Round {
  readonly added: number
  readonly calls: number
  readonly unchanged: number
  readonly seconds: number
  readonly serverCpu: number
  readonly postgresCpu: number
  readonly peak: number
}

async function refresh({ house, cpu }: HouseUnderTest, forge: GithubForge, path: string): Promise<Round> {
  const [seen, before, started] = [forge.calls.length, cpu(), performance.now()]
  startPeakAnew(house.pid)
  const { repository_count: count, added } = await house.api.send<{ repository_count: number; added: number }>(
    'POST',
    path,
  )
  const seconds = (performance.now() - started) / 1000
  const after = cpu()
  if (count < REPOSITORIES) throw new Error(`Only ${count} repositories were found`)
  // The delivery log of the app is read besides, every few minutes.
  const calls = forge.calls.slice(seen).filter(({ line }) => line.includes('/installation'))
  return {
    added,
    calls: calls.length,
    unchanged: calls.filter(({ status }) => status === 304).length,
    seconds,
    serverCpu: after.server - before.server,
    postgresCpu: after.postgres - before.postgres,
    peak: peakMegabytes(house.pid),
  }
}

async function growAndRefresh(subject: HouseUnderTest, forge: GithubForge, path: string): Promise<Round> {
  await forge.addRepository(`${ACCOUNT}/late`, { branches: ['main'] })
  return refresh(subject, forge, path)
}

type Rounds = Readonly<Record<'first' | 'unchanged' | 'grown', Round>>

function figuresOf({ first, unchanged, grown }: Rounds, before: number): readonly Figure[] {
  return [
    { what: 'repositories found by the first refresh', value: first.added, unit: '', exactly: REPOSITORIES - 1 },
    // A page each, the installation itself, and a token.
    { what: 'calls of it', value: first.calls, unit: '', atMost: PAGES + 2 },
    { what: 'time of the first refresh', value: first.seconds, unit: 's' },
    { what: 'calls when nothing changed', value: unchanged.calls, unit: '', atMost: PAGES + 2 },
    { what: 'of them answered 304, which cost no rate', value: unchanged.unchanged, unit: '', atLeast: PAGES },
    { what: 'time when nothing changed', value: unchanged.seconds, unit: 's' },
    { what: 'calls when one repository came', value: grown.calls, unit: '' },
    { what: 'of them answered 304', value: grown.unchanged, unit: '' },
    { what: 'memory of the control plane before', value: before, unit: 'MB' },
    { what: 'at its peak', value: Math.max(first.peak, unchanged.peak, grown.peak), unit: 'MB' },
  ]
}

function tableOf({ first, unchanged, grown }: Rounds): Table {
  const rowOf = (name: string, round: Round): readonly string[] => [
    name,
    String(round.calls),
    String(round.unchanged),
    round.seconds.toFixed(2),
    round.serverCpu.toFixed(2),
    round.postgresCpu.toFixed(2),
    round.peak.toFixed(0),
  ]
  return {
    title: 'refreshes',
    columns: ['', 'calls', '304', 's', 'CPU of the control plane, s', 'of PostgreSQL, s', 'peak, MB'],
    rows: [rowOf('the first', first), rowOf('nothing changed', unchanged), rowOf('one came', grown)],
  }
}
