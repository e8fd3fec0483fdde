import type { Events } from './events.ts'
import {
  type Account,
  type App,
  covers,
  type Installation,
  type Repository,
  repositoriesOf,
  type World,
} from './world.ts'

export interface WantedInstallation {
  readonly app: App
  readonly account: Account
  /** Null: all. */
  readonly repositories: readonly Repository[] | null
}

/** What a person does on the pages of an app. Each change is told to the app. */
export interface Installing {
  /** A second time for the same account changes the choice of repositories. */
  install(wanted: WantedInstallation, sender: Account): { readonly installation: Installation; readonly isNew: boolean }
  uninstall(installation: Installation): void
  suspend(installation: Installation, suspended: boolean): void
  /** The account accepts what the app asks for by now. */
  acceptPermissions(installation: Installation): void
  addRepositories(installation: Installation, repositories: readonly Repository[]): void
  removeRepositories(installation: Installation, repositories: readonly Repository[]): void
}

export function createInstalling(world: World, events: Events): Installing {
  function touch(installation: Installation): void {
    installation.updatedAt = world.clock.text()
  }

  const installing: Installing = {
    install({ app, account, repositories }, sender) {
      const known = world.installations.values().find((one) => one.app === app && one.account === account)
      if (known) {
        choose(known, repositories, sender)
        return { installation: known, isNew: false }
      }
      const now = world.clock.text()
      const installation: Installation = {
        id: world.nextId(),
        app,
        account,
        selection: repositories ? 'selected' : 'all',
        repositoryIds: new Set(repositories?.map(({ id }) => id)),
        permissions: app.permissions,
        events: app.events,
        suspendedAt: null,
        createdAt: now,
        updatedAt: now,
      }
      world.installations.set(installation.id, installation)
      events.installation(installation, 'created', sender)
      return { installation, isNew: true }
    },
    uninstall(installation) {
      // The event lists the repositories that it had.
      events.installation(installation, 'deleted', installation.account)
      world.installations.delete(installation.id)
    },
    suspend(installation, suspended) {
      installation.suspendedAt = suspended ? world.clock.text() : null
      touch(installation)
      events.installation(installation, suspended ? 'suspend' : 'unsuspend', installation.account)
    },
    acceptPermissions(installation) {
      installation.permissions = installation.app.permissions
      installation.events = installation.app.events
      touch(installation)
      events.installation(installation, 'new_permissions_accepted', installation.account)
    },
    addRepositories(installation, repositories) {
      for (const { id } of repositories) installation.repositoryIds.add(id)
      touch(installation)
      events.installationRepositories(installation, { added: repositories, removed: [] }, installation.account)
    },
    removeRepositories(installation, repositories) {
      if (installation.selection === 'all') {
        for (const { id } of repositoriesOf(world, installation)) installation.repositoryIds.add(id)
        installation.selection = 'selected'
      }
      for (const { id } of repositories) installation.repositoryIds.delete(id)
      touch(installation)
      events.installationRepositories(installation, { added: [], removed: repositories }, installation.account)
    },
  }

  function choose(installation: Installation, repositories: readonly Repository[] | null, sender: Account): void {
    const before = repositoriesOf(world, installation)
    installation.selection = repositories ? 'selected' : 'all'
    installation.repositoryIds.clear()
    for (const { id } of repositories ?? []) installation.repositoryIds.add(id)
    touch(installation)
    const added = repositoriesOf(world, installation).filter((one) => !before.includes(one))
    const removed = before.filter((one) => !covers(installation, one))
    if (added.length > 0) events.installationRepositories(installation, { added, removed: [] }, sender)
    if (removed.length > 0) events.installationRepositories(installation, { added: [], removed }, sender)
  }

  return installing
}
