import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { PAGES } from './pages.ts'
import type { PersonName } from './people.ts'
import type { Scenery } from './scenery.ts'

/** What one presses: a button, tab, box, link or row by its name; or something else to do. */
type Step = string | RegExp | ((page: Page) => Promise<void>)

/** A dialog, drawer, menu or popover, and how a person opens it. */
export interface ListedDialog {
  /** The file of `ui/src` that draws it. */
  readonly file: string
  /** Where it is opened, as `room path` of pages.ts. */
  readonly page: string
  /** Another address than pages.ts has. */
  readonly address?: (scenery: Scenery) => string
  readonly steps: readonly Step[]
  readonly title: string | RegExp
  readonly role: 'dialog' | 'menu'
}

function firstOf({ world }: Scenery, collection: string): string {
  return world.ids.get(collection)?.[0] ?? ''
}

const TEAM = 'teams teams/$id'
const EXTERNAL = 'external-triggers external-triggers/$id'
const RUNNER = 'runners runners/$id'
const RUN = 'runs runs/$id'
const SOURCE = 'sources sources/$id'
const SECRETS = 'secrets secrets'
const ACCOUNTS = 'access service-accounts'

/** Every dialog; a test names those that are missing here. */
export const DIALOGS: readonly ListedDialog[] = [
  ...of('components/copy-as.tsx', 'preferences preferences', [[['Copy as'], /Copy as/, 'menu']]),
  ...of('components/why.tsx', 'runners runners', [[[/^Why: acme-first/], /^Why: acme-first/]]),
  ...of('shell/user-menu.tsx', 'preferences preferences', [[[/^Owner of acme/], /^Owner of acme/, 'menu']]),
  ...of('shell/shell.tsx', 'preferences preferences', [
    [[(page) => page.setViewportSize({ width: 380, height: 800 }), 'Navigation'], 'Signalbox'],
  ]),
  ...of('shell/keys/palette.tsx', 'preferences preferences', [[[(page) => page.keyboard.press('Control+k')], 'Go to']]),
  ...of('shell/keys/key-help.tsx', 'preferences preferences', [[[(page) => page.keyboard.press('?')], 'Keys']]),
  ...of('rooms/logs/log-toolbar.tsx', RUN, [[['Look of the lines'], 'Look of the lines', 'menu']]),
  ...of('rooms/system/create-user.tsx', 'system system/users', [[['Create a user'], 'Create a user']]),
  ...of('rooms/system/user-actions.tsx', 'system system/users/$id', [
    [['New password'], /^A new password/],
    [['Disable'], /^Disable/],
    [['Delete'], /^Delete/],
  ]),
  ...of('rooms/system/user-sessions.tsx', 'system system/users/$id', [
    [['End all'], /^End all sessions/],
    [['End'], /^End the session/],
  ]),
  ...of('rooms/plans/decide.tsx', 'plans plans/$id', [[['Refuse'], 'Refuse: Start a run?']]),
  ...of('rooms/schedules/schedule-page.tsx', 'schedules schedules/$id', [[['Delete'], /^Delete/]]),
  ...of('rooms/schedules/backfills.tsx', 'schedules schedules/$id', [
    [['Backfills', 'Backfill a past range'], /^Backfill/],
  ]),
  ...of('rooms/teams/environments.tsx', TEAM, [
    [['Create an environment'], /^Create an environment/],
    [['Change'], /^Change acme/],
    [[pressIn('Environments', 'Delete')], /^Delete acme\//],
  ]),
  ...of('rooms/teams/team-page.tsx', TEAM, [
    [['Rename'], 'Rename acme'],
    [['Delete'], 'Delete acme?'],
  ]),
  ...of('rooms/teams/teams-page.tsx', TEAM, [[['Create a team below'], 'Create a team below acme']]),
  ...of('rooms/teams/teams-page.tsx', 'teams teams', [[['Create a team'], 'Create a team']]),
  ...of('rooms/external-triggers/external-trigger-actions.tsx', EXTERNAL, [
    [['New secret'], /^A new secret/],
    [['New secret', 'Create it'], 'The new secret'],
    [['Delete'], /^Delete/],
  ]),
  ...of('rooms/external-triggers/fire-dialog.tsx', EXTERNAL, [[['Fire it now'], /^Fire/]]),
  ...of('rooms/profiles/create-profile.tsx', 'profiles profiles', [[['Create a profile'], 'Create a profile']]),
  ...of('rooms/profiles/profile-page.tsx', 'profiles profiles/$id', [[['Delete'], /^Delete/]]),
  ...of('rooms/overrides/overrides-page.tsx', 'overrides overrides', [
    [['Override a repository'], 'Override a repository'],
  ]),
  ...of('rooms/overrides/override-page.tsx', 'overrides overrides/$owner/$name', [
    [['Delete'], 'Delete the override?'],
  ]),
  ...of('rooms/pipelines/delete-pipeline.tsx', 'pipelines pipelines/$id', [[['Delete'], 'Delete acme/api?']]),
  ...of('rooms/pipelines/run/run-form.tsx', 'pipelines pipelines/$id', [[['Run'], 'Run acme/api']]),
  ...of(
    'rooms/pipelines/versions/restore-version.tsx',
    'pipelines pipelines/$id',
    [[['Restore version 1'], /^Restore version 1/]],
    () => '/pipelines/acme%2Fspare?tab=versions&version=1',
  ),
  ...of('rooms/audit/audit-page.tsx', 'audit audit', [
    [[(page) => page.getByRole('table').getByRole('link').first().click()], 'Audit record'],
  ]),
  ...of('rooms/access/group-page.tsx', 'access groups/$id', [[['Delete'], /^Delete/]]),
  ...of('rooms/access/service-accounts-page.tsx', ACCOUNTS, [
    [['Delete'], /^Delete/],
    [['Disable'], /^Disable/],
    [['Create a service account'], 'Create a service account'],
  ]),
  ...of('rooms/access/groups-page.tsx', 'access groups', [[['Create a group'], 'Create a group']]),
  ...of('rooms/access/account-tokens.tsx', ACCOUNTS, [[['Tokens'], /^Tokens of/]]),
  ...of('rooms/access/take-away.tsx', 'access members', [[['Take away'], /^Take the role/]]),
  ...of('rooms/access/grant-form.tsx', 'access members', [[['Give a role'], 'Give a role']]),
  ...of('rooms/sessions/tokens-page.tsx', 'sessions account/tokens', [
    [
      [(page) => page.getByRole('textbox', { name: 'Name' }).fill('laptop'), 'Create the token', 'Revoke'],
      'Revoke the token laptop?',
    ],
  ]),
  ...of('rooms/sessions/sessions-page.tsx', 'sessions account/sessions', [
    [['End all others'], 'End all other sessions?'],
    [['Sign out'], 'Sign out here?'],
    [['End'], /^End the session of/],
  ]),
  ...of('rooms/secrets/delete-secret.tsx', SECRETS, [[['Delete'], /^Delete acme\//]]),
  ...of('rooms/secrets/retire-version.tsx', SECRETS, [[[/^Retire/], /^Retire version 1/]]),
  ...of('rooms/secrets/secret-form.tsx', SECRETS, [
    [['Store a secret'], 'Store a secret'],
    [['Rotate'], /^A new version of/],
  ]),
  ...of('rooms/runners/enrol-runner.tsx', 'runners runners', [
    [['Enrol a runner'], 'Enrol a runner'],
    [['Enrol a runner', 'Create its command'], 'Enrol a runner'],
  ]),
  ...of('rooms/runners/runner-page.tsx', RUNNER, [
    [['Change'], /^Change/],
    [['Remove'], /^Remove/],
  ]),
  ...of('rooms/sources/replay-many.tsx', 'sources deliveries', [
    [['Choose all that are shown', 'Say what would start'], 'What would start'],
  ]),
  ...of('rooms/sources/replay-actions.tsx', 'sources sources/$id/deliveries/$delivery', [
    [['Dry run'], 'What would start now'],
  ]),
  ...of('rooms/sources/source-page.tsx', SOURCE, [[['Delete'], /^Delete/]]),
  ...of('rooms/sources/connections.tsx', SOURCE, [
    [['Create the webhook from here'], 'Create a webhook at the provider'],
  ]),
  ...of('rooms/knowledge/knowledge-page.tsx', 'knowledge knowledge', [[['Create an item'], 'Create an item']]),
  ...of('rooms/knowledge/item-page.tsx', 'knowledge knowledge/$id', [[['Delete'], /^Delete/]]),
  ...of('rooms/knowledge/emergencies-page.tsx', 'knowledge emergencies', [
    [['Lift'], /^Lift the emergency/],
    [['Declare an emergency'], 'Declare an emergency'],
  ]),
  ...of(
    'rooms/runs/act/cancel-dialog.tsx',
    RUN,
    [[['Cancel…'], /^Cancel the run/]],
    ({ runs }) => `/runs/${runs.queued}`,
  ),
  ...of('rooms/runs/act/rerun-dialog.tsx', RUN, [[['Run again…'], /^Run .* again$/]]),
  ...of('rooms/runs/list/chosen-bar.tsx', 'runs runs', [
    [['Choose all that are shown', /^Cancel \d+…/], /^Cancel: /],
    [['Choose all that are shown', /^Run again \d+…/], /^Run again: /],
  ]),
  ...of(
    'rooms/runs/artifacts/artifacts.tsx',
    RUN,
    [[['Artifacts', /^Delete /], /^Delete /]],
    (scenery) => `/runs/${firstOf(scenery, '/v1/runs/{id}/final-outputs/{name} id')}`,
  ),
  ...of('rooms/artifacts/storage-page.tsx', 'artifacts storage', [[['Set the quotas'], 'Quotas of acme']]),
  ...of('rooms/triggers/trigger-page.tsx', 'triggers triggers/$id', [[['Delete'], /^Delete/]]),
]

const WITH_APP = 'git-apps.test.ts: only with a Git provider there is an app'

/** Dialogs of these files that no press opens in this scenery, and the test that opens and checks them. */
export const ELSEWHERE: Readonly<Record<string, { readonly count: number; readonly why: string }>> = {
  'rooms/system/create-user.tsx': { count: 1, why: 'administration.test.ts: a password is shown once it is made' },
  'rooms/system/user-actions.tsx': { count: 1, why: 'administration.test.ts: a password is shown once it is made' },
  'rooms/identities/identities.tsx': { count: 1, why: 'getting-in.test.ts: only there is a provider of accounts' },
  'shell/leaving.tsx': { count: 1, why: 'one-browser.test.ts: it is asked where a form holds unsaved work' },
  'shell/keys/keys.tsx': { count: 1, why: 'mends.test.ts: a newer build has the palette no more' },
  'shell/sign-in-again.tsx': { count: 1, why: 'getting-in.test.ts: a session ends below a form' },
  'rooms/git-apps/app-actions.tsx': { count: 1, why: WITH_APP },
  'rooms/git-apps/rotate-keys.tsx': { count: 1, why: WITH_APP },
  'rooms/git-apps/installations.tsx': { count: 1, why: WITH_APP },
  'rooms/git-apps/installation-actions.tsx': { count: 1, why: WITH_APP },
  'rooms/git-apps/installation-repositories.tsx': { count: 1, why: WITH_APP },
  'rooms/git-apps/installation-teams.tsx': { count: 1, why: WITH_APP },
  'rooms/git-apps/branches.tsx': { count: 1, why: WITH_APP },
  'rooms/sources/connections.tsx': { count: 1, why: 'a webhook can be removed where a provider has taken one' },
}

function of(
  file: string,
  page: string,
  dialogs: readonly (readonly [steps: readonly Step[], title: string | RegExp, role?: 'dialog' | 'menu'])[],
  address?: (scenery: Scenery) => string,
): readonly ListedDialog[] {
  return dialogs.map(([steps, title, role = 'dialog']) => ({
    file,
    page,
    steps,
    title,
    role,
    ...(address ? { address } : {}),
  }))
}

function pressIn(section: string, button: string): Step {
  return (page) => page.getByRole('region', { name: section }).getByRole('button', { name: button }).first().click()
}

/** Who opens it, and where. */
export function placeOf(dialog: ListedDialog, scenery: Scenery): { readonly as: PersonName; readonly path: string } {
  const page = PAGES.find(({ room, path }) => `${room} ${path}` === dialog.page)
  if (!page) throw new Error(`e2e/web/pages.ts has no page "${dialog.page}"`)
  return { as: page.as ?? 'owner', path: (dialog.address ?? page.address)(scenery) }
}

export async function press(page: Page, step: Step): Promise<void> {
  if (typeof step === 'function') return step(page)
  const name = { name: step, exact: true }
  const shown = page.getByRole('dialog').filter({ visible: true })
  const place = (await shown.count()) > 0 ? shown : page.locator('body')
  await place
    .getByRole('button', name)
    .or(place.getByRole('tab', name))
    .or(place.getByRole('checkbox', name))
    .first()
    .click()
}

const DRAWN = /<(?:FormDialog|DeleteDialog|EditDialog|ConfirmButton|Modal|Drawer|Menu|Popover)(?=\s)/g
/** They draw a dialog for those who name them. */
const FRAMES = [
  'components/form-dialog.tsx',
  'components/confirm-button.tsx',
  'components/delete-dialog.tsx',
  'components/edit-dialog.tsx',
]

/** How many dialogs each file of the application draws. */
export function drawnDialogs(): ReadonlyMap<string, number> {
  const root = resolve(import.meta.dirname, '../../ui/src')
  const files = globSync('{components,rooms,shell}/**/*.tsx', { cwd: root }).filter((file) => !FRAMES.includes(file))
  return new Map(
    files
      .map((file) => [file, readFileSync(join(root, file), 'utf8').match(DRAWN)?.length ?? 0] as const)
      .filter(([, count]) => count > 0),
  )
}
