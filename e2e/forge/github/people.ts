import type { Events } from './events.ts'
import type { Installing } from './installing.ts'
import { createKey, registerApp } from './registration.ts'
import {
  openPull,
  type Pushed,
  type Repositories,
  type WantedPull,
  type WantedPush,
  type WantedRepository,
} from './repositories.ts'
import {
  type Account,
  type App,
  accountOf,
  type Comment,
  getRepository,
  type Installation,
  newToken,
  type PullRequest,
  type Repository,
  type Role,
  type World,
} from './world.ts'

/** What people do at the forge, and what an administrator prepares. Names of people are logins. */
export interface People {
  addRepository(fullName: string, wanted?: WantedRepository): Promise<Repository>
  addPerson(login: string): Account
  /** Null: not any more. */
  permit(fullName: string, login: string, role: Role | null): void
  /** A personal access token, which may do what its person may. */
  addToken(login: string): string
  /** An app without the flow, owned by this account. */
  addApp(owner: string, manifest: Readonly<Record<string, unknown>>): Promise<{ app: App; privateKey: string }>
  /** Another private key; the app keeps its old ones. */
  addKey(app: App): Promise<string>
  /** Ends the oldest key. */
  removeOldestKey(app: App): void
  /** The app asks for other permissions; its installations keep theirs until they accept. */
  askPermissions(app: App, permissions: Readonly<Record<string, string>>, events?: readonly string[]): void
  /** Posts the manifest to the form's address, and confirms. Answers where the browser is led to. */
  confirmRegistration(formUrl: string, manifest: unknown): Promise<URL>
  /** Passes the page of an installation. Answers where the browser is led to. */
  confirmInstallation(installUrl: string, choice: InstallationChoice): Promise<URL>
  /** Installs without the pages. */
  install(app: App, account: string, repositories?: readonly string[]): Installation
  uninstall(installation: Installation): void
  suspend(installation: Installation): void
  unsuspend(installation: Installation): void
  acceptPermissions(installation: Installation): void
  addRepositories(installation: Installation, ...fullNames: readonly string[]): void
  removeRepositories(installation: Installation, ...fullNames: readonly string[]): void
  push(fullName: string, wanted?: WantedPush): Promise<Pushed>
  removeBranch(fullName: string, branch: string, by?: string): Promise<void>
  openPull(fullName: string, wanted: WantedPull): Promise<PullRequest>
  closePull(fullName: string, number: number, merged?: boolean): void
  comment(fullName: string, number: number, by: string, body: string): Comment
  editComment(fullName: string, commentId: number, body: string, by?: string): void
  deleteComment(fullName: string, commentId: number): void
  /** Sends the app's webhook a ping. */
  pingApp(app: App): void
  /** Presses "Re-run" at a check. */
  rerequest(fullName: string, checkRunId: number, by: string): void
}

export interface InstallationChoice {
  readonly account: string
  /** Names of repositories; all by default. */
  readonly repositories?: readonly string[]
  /** `request`: of somebody who may not install it. */
  readonly do?: 'install' | 'request'
}

interface Parts {
  readonly world: World
  readonly events: Events
  readonly repositories: Repositories
  readonly installing: Installing
}

const FAR_FUTURE = 8.64e15

export function createPeople({ world, events, repositories, installing }: Parts): People {
  const listed = (names: readonly string[]) => names.map((name) => getRepository(world, name))
  const commentOf = (repository: Repository, id: number): Comment => {
    const comment = repository.comments.get(id)
    if (!comment) throw new Error(`The forge has no comment ${id}.`)
    return comment
  }

  return {
    addRepository: repositories.add,
    addPerson: (login) => accountOf(world, login),
    permit(fullName, login, role) {
      const { roles } = getRepository(world, fullName)
      const { id } = accountOf(world, login)
      if (role) roles.set(id, role)
      else roles.delete(id)
    },
    addToken(login) {
      const value = newToken('ghp')
      const person = accountOf(world, login)
      const none = { installation: null, permissions: {}, repositoryIds: null, expiresAt: FAR_FUTURE, refusals: 0 }
      world.tokens.set(value, { ...none, value, person })
      return value
    },
    addApp: (owner, manifest) => registerApp(world, accountOf(world, owner, 'Organization'), manifest),
    async addKey(app) {
      const { privateKey, key } = await createKey()
      app.keys.push(key)
      return privateKey
    },
    removeOldestKey: (app) => void app.keys.shift(),
    askPermissions(app, permissions, chosen = app.events) {
      app.permissions = { ...permissions, metadata: 'read' }
      app.events = chosen
    },
    async confirmRegistration(formUrl, manifest) {
      const shown = await postForm(formUrl, { manifest: JSON.stringify(manifest) })
      const html = await shown.text()
      const action = /action="([^"]+)"/.exec(html)?.[1]
      if (action === undefined) throw new Error(`The forge refused the manifest: ${html}`)
      return leadOf(await postForm(new URL(action, world.url).href, {}))
    },
    async confirmInstallation(installUrl, { account, repositories: names = [], do: how = 'install' }) {
      const { pathname, searchParams } = new URL(installUrl)
      const state = searchParams.get('state')
      const form = { account, repositories: names.join(' '), do: how, ...(state === null ? {} : { state }) }
      return leadOf(await postForm(new URL(pathname.replace(/\/new$/, ''), world.url).href, form))
    },
    install(app, account, names) {
      const owner = accountOf(world, account, 'Organization')
      return installing.install({ app, account: owner, repositories: names ? listed(names) : null }, owner).installation
    },
    uninstall: installing.uninstall,
    suspend: (installation) => installing.suspend(installation, true),
    unsuspend: (installation) => installing.suspend(installation, false),
    acceptPermissions: installing.acceptPermissions,
    addRepositories: (installation, ...names) => installing.addRepositories(installation, listed(names)),
    removeRepositories: (installation, ...names) => installing.removeRepositories(installation, listed(names)),
    push: repositories.push,
    removeBranch: (fullName, branch, by) => repositories.remove(fullName, `refs/heads/${branch}`, by),
    openPull: (fullName, wanted) => openPull(world, events, fullName, wanted),
    closePull(fullName, number, merged = false) {
      const repository = getRepository(world, fullName)
      const pull = repository.pulls.get(number)
      if (!pull) throw new Error(`${fullName} has no pull request ${number}.`)
      pull.state = 'closed'
      pull.merged = merged
      pull.updatedAt = world.clock.text()
      events.pull(repository, pull, 'closed')
    },
    comment: (fullName, number, by, body) =>
      events.addComment(getRepository(world, fullName), { number, author: accountOf(world, by), app: null, body }),
    editComment(fullName, commentId, body, by) {
      const repository = getRepository(world, fullName)
      const comment = commentOf(repository, commentId)
      comment.body = body
      comment.updatedAt = world.clock.text()
      events.comment(repository, comment, 'edited', by === undefined ? comment.author : accountOf(world, by))
    },
    deleteComment(fullName, commentId) {
      const repository = getRepository(world, fullName)
      const comment = commentOf(repository, commentId)
      repository.comments.delete(commentId)
      events.comment(repository, comment, 'deleted', comment.author)
    },
    pingApp: (app) => events.pingApp(app),
    rerequest(fullName, checkRunId, by) {
      const repository = getRepository(world, fullName)
      const check = repository.checkRuns.get(checkRunId)
      if (!check) throw new Error(`${fullName} has no check run ${checkRunId}.`)
      events.checkRun(repository, check, 'rerequested', accountOf(world, by))
    },
  }
}

function postForm(url: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

async function leadOf(response: Response): Promise<URL> {
  const location = response.headers.get('location')
  if (location === null) throw new Error(`The forge answered ${response.status}: ${await response.text()}`)
  return new URL(location)
}
