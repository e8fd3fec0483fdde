import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PersonName } from './people.ts'
import type { Scenery } from './scenery.ts'

/** A page of the application, and an address at which the scenery has something to show. */
export interface ListedPage {
  /** The room of `ui/src/rooms` and the path as its `pages.ts` states it. */
  readonly room: string
  readonly path: string
  readonly address: (scenery: Scenery) => string
  readonly heading: string | RegExp
  /** Default: the owner of the team. Null: nobody. */
  readonly as?: PersonName | null
}

function ofTeam(path: string): () => string {
  return () => `/t/acme/${path}`
}

/** The first thing of a collection of the API. */
function firstOf({ world }: Scenery, collection: string): string {
  return world.ids.get(collection)?.[0] ?? ''
}

/** Every page; a test names those that are missing here. */
export const PAGES: readonly ListedPage[] = [
  { room: 'sessions', path: 'sign-in', address: () => '/sign-in', heading: 'Sign in to Signalbox', as: null },
  { room: 'sessions', path: 'account/sessions', address: () => '/account/sessions', heading: 'Your sessions' },
  {
    room: 'identities',
    path: 'account/identities',
    address: () => '/account/identities',
    heading: 'Your accounts at providers',
  },
  { room: 'sessions', path: 'account/tokens', address: () => '/account/tokens', heading: 'Your tokens' },
  // The house is set up already: the page leads on. getting-in.test.ts looks at the steps of a house that is not.
  { room: 'setup', path: 'setup', address: () => '/setup', heading: 'Sign in to Signalbox', as: null },
  { room: 'runs', path: 'runs', address: ofTeam('runs'), heading: 'Runs' },
  { room: 'runs', path: 'runs/$id', address: ({ runs }) => `/runs/${runs.failed}`, heading: 'api' },
  { room: 'secrets', path: 'secrets', address: ofTeam('secrets'), heading: 'Secrets' },
  {
    room: 'secrets',
    path: 'secrets/$id',
    address: (scenery) => `/secrets/${encodeURIComponent(firstOf(scenery, '/v1/secrets'))}`,
    heading: 'npm',
  },
  { room: 'profiles', path: 'profiles', address: ofTeam('profiles'), heading: 'Profiles' },
  {
    room: 'profiles',
    path: 'profiles/$id',
    address: (scenery) => `/profiles/${encodeURIComponent(firstOf(scenery, '/v1/profiles'))}`,
    heading: 'first',
  },
  {
    room: 'runs',
    path: 'runs/$id/compare',
    address: ({ runs }) => `/runs/${runs.failed}/compare?other=${runs.succeeded}`,
    heading: /ompare/,
  },
  { room: 'overview', path: 'home', address: ofTeam('home'), heading: 'acme' },
  { room: 'approvals', path: 'approvals', address: ofTeam('approvals'), heading: 'Approvals' },
  { room: 'schedules', path: 'schedules', address: ofTeam('schedules'), heading: 'Schedules' },
  { room: 'schedules', path: 'schedules/new', address: ofTeam('schedules/new'), heading: 'Create a schedule' },
  {
    room: 'schedules',
    path: 'schedules/$id',
    address: (scenery) => `/schedules/${firstOf(scenery, '/v1/schedules')}`,
    heading: 'first',
  },
  { room: 'preferences', path: 'preferences', address: () => '/preferences', heading: 'Preferences' },
  {
    room: 'system',
    path: 'system/preflight',
    address: () => '/system/preflight',
    heading: 'Preflight',
    as: 'administrator',
  },
  {
    room: 'system',
    path: 'system/dispatcher',
    address: () => '/system/dispatcher',
    heading: 'Dispatcher',
    as: 'administrator',
  },
  { room: 'system', path: 'system/users', address: () => '/system/users', heading: 'Users', as: 'administrator' },
  {
    room: 'system',
    path: 'system/users/$id',
    address: (scenery) => `/system/users/${firstOf(scenery, '/v1/users')}`,
    heading: 'acme-first',
    as: 'administrator',
  },
  {
    room: 'system',
    path: 'system/settings',
    address: () => '/system/settings?q=sign',
    heading: 'Settings',
    as: 'administrator',
  },
  { room: 'system', path: 'system/about', address: () => '/system/about', heading: 'About Signalbox' },
  { room: 'git-apps', path: 'repositories', address: ofTeam('repositories'), heading: 'Repositories' },
  {
    room: 'git-apps',
    path: 'system/git-apps',
    address: () => '/system/git-apps',
    heading: 'Git apps',
    as: 'administrator',
  },
  { room: 'pipelines', path: 'pipelines', address: ofTeam('pipelines'), heading: 'Pipelines' },
  { room: 'pipelines', path: 'pipelines/new', address: ofTeam('pipelines/new'), heading: 'Create a pipeline' },
  { room: 'pipelines', path: 'pipelines/$id', address: () => '/pipelines/acme%2Fapi', heading: 'api' },
  { room: 'pipelines', path: 'pipelines/$id/edit', address: () => '/pipelines/acme%2Fapi/edit', heading: 'Edit api' },
  { room: 'triggers', path: 'triggers', address: ofTeam('triggers'), heading: 'Triggers' },
  { room: 'triggers', path: 'triggers/new', address: ofTeam('triggers/new'), heading: 'Create a trigger' },
  {
    room: 'triggers',
    path: 'triggers/$id',
    address: (scenery) => `/triggers/${firstOf(scenery, '/v1/triggers')}`,
    heading: 'on-push',
  },
  {
    room: 'external-triggers',
    path: 'external-triggers',
    address: ofTeam('external-triggers'),
    heading: 'External triggers',
  },
  {
    room: 'external-triggers',
    path: 'external-triggers/new',
    address: ofTeam('external-triggers/new'),
    heading: 'Create an external trigger',
  },
  {
    room: 'external-triggers',
    path: 'external-triggers/$id',
    address: (scenery) => `/external-triggers/${firstOf(scenery, '/v1/external-triggers')}`,
    heading: 'first',
  },
  { room: 'overrides', path: 'overrides', address: ofTeam('overrides'), heading: 'Overrides' },
  {
    room: 'overrides',
    path: 'overrides/$owner/$name',
    address: () => '/overrides/acme/frozen?ref=main&event=push',
    heading: 'acme/frozen',
  },
  { room: 'sources', path: 'sources', address: ofTeam('sources'), heading: 'Sources' },
  { room: 'sources', path: 'sources/new', address: ofTeam('sources/new'), heading: 'Create a source' },
  { room: 'sources', path: 'deliveries', address: ofTeam('deliveries'), heading: 'Deliveries' },
  {
    room: 'sources',
    path: 'sources/$id',
    address: ({ world }) => `/sources/${world.team.sourceId}`,
    heading: 'acme-github',
  },
  {
    room: 'sources',
    path: 'sources/$id/deliveries/$delivery',
    address: (scenery) => `/sources/${scenery.world.team.sourceId}/deliveries/${firstOf(scenery, 'deliveries')}`,
    heading: 'Delivery: push',
  },
  {
    room: 'sources',
    path: 'events/$id',
    address: (scenery) => `/events/${firstOf(scenery, '/v1/events')}`,
    heading: 'Event: push',
  },
  { room: 'runners', path: 'queue', address: ofTeam('queue'), heading: 'Queue' },
  { room: 'runners', path: 'runners', address: ofTeam('runners'), heading: 'Runners' },
  {
    room: 'runners',
    path: 'runners/$id',
    address: (scenery) => `/runners/${firstOf(scenery, '/v1/runners')}`,
    heading: 'acme-first',
  },
  { room: 'knowledge', path: 'knowledge', address: ofTeam('knowledge'), heading: 'Knowledge' },
  {
    room: 'knowledge',
    path: 'knowledge/$id',
    address: (scenery) => `/knowledge/${firstOf(scenery, '/v1/knowledge')}`,
    heading: 'first',
  },
  { room: 'knowledge', path: 'emergencies', address: () => '/emergencies', heading: 'Emergencies' },
  { room: 'access', path: 'members', address: ofTeam('members'), heading: 'Members' },
  { room: 'access', path: 'service-accounts', address: ofTeam('service-accounts'), heading: 'Service accounts' },
  { room: 'access', path: 'groups', address: () => '/groups', heading: 'Groups', as: 'administrator' },
  {
    room: 'access',
    path: 'groups/$id',
    address: (scenery) => `/groups/${firstOf(scenery, '/v1/groups')}`,
    heading: 'acme-first',
    as: 'administrator',
  },
  { room: 'access', path: 'roles', address: () => '/roles', heading: 'Roles' },
  { room: 'audit', path: 'audit', address: () => '/audit', heading: 'Audit', as: 'administrator' },
  { room: 'mcp', path: 'mcp', address: () => '/mcp', heading: 'Agents' },
  { room: 'plans', path: 'plans', address: () => '/plans', heading: 'Plans' },
  { room: 'plans', path: 'plans/$id', address: ({ plan }) => `/plans/${plan}`, heading: /^Start a run/ },
  {
    room: 'sources',
    path: 'why',
    address: () => '/why?repository=acme/shop&commit=2222222',
    heading: 'Why did nothing start?',
  },
  { room: 'teams', path: 'teams', address: () => '/teams', heading: 'Teams' },
  { room: 'teams', path: 'teams/$id', address: () => '/teams/acme', heading: 'acme' },
  { room: 'artifacts', path: 'storage', address: ofTeam('storage'), heading: 'Storage' },
]

const STATED = /createRoute\(\{\s*getParentRoute: \(\) => \w+,\s*path: '([^']*)'/g

/** The pages that the rooms state, as `room path`. */
export function statedPages(): string[] {
  const root = resolve(import.meta.dirname, '../../ui/src/rooms')
  return globSync('*/pages.ts', { cwd: root }).flatMap((file) => {
    const room = file.split(/[\\/]/)[0] ?? ''
    return [...readFileSync(resolve(root, file), 'utf8').matchAll(STATED)].map(([, path]) => `${room} ${path}`)
  })
}
