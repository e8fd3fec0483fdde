import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Fields, fieldsOf, isFields, listOf } from '../fields.ts'
import { type Account, type App, fullNameOf, type Installation, type Repository, type World } from './world.ts'

// Documents have the recorded shapes of @octokit/webhooks-examples: an example with its names and addresses exchanged.

const EXAMPLE_OWNER = 'Codertocat'
const EXAMPLE_REPOSITORY = 'Codertocat/Hello-World'

const examples = readExamples()
/** Of the sender of a comment. */
const ACCOUNT = fieldsOf(exampleOf('issue_comment', 'created'), 'sender')
const REPOSITORY = without(fieldsOf(exampleOf('issue_comment', 'created'), 'repository'), 'owner')
const INSTALLATION = without(fieldsOf(exampleOf('installation', 'created'), 'installation'), 'account')

function readExamples(): ReadonlyMap<string, readonly Fields[]> {
  const file = createRequire(import.meta.url).resolve('@octokit/webhooks-examples')
  const listed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const events = Array.isArray(listed) ? listed.filter(isFields) : []
  return new Map(events.map((event) => [String(event['name']), listOf(event, 'examples').filter(isFields)]))
}

/** The recorded payload of an event. */
export function exampleOf(event: string, action?: string): Fields {
  const found = examples.get(event)?.find((example) => action === undefined || example['action'] === action)
  if (!found) throw new Error(`@octokit/webhooks-examples has no ${event} ${action ?? ''}.`)
  return found
}

export function without(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** The recorded texts with other names: of the repository, of its owner, and of the forge. */
export function rename(recorded: Fields, world: World, owner: string, repository?: string): Fields {
  return Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => {
      if (isFields(value)) return [name, rename(value, world, owner, repository)]
      return [name, typeof value === 'string' ? renameText(value, world, owner, repository) : value]
    }),
  )
}

function renameText(text: string, world: World, owner: string, repository: string | undefined): string {
  return text
    .replace('https://api.github.com', `${world.url}/api/v3`)
    .replace('https://github.com', world.url)
    .replace('git://github.com', world.url.replace('http:', 'git:'))
    .replace(EXAMPLE_REPOSITORY, repository ?? EXAMPLE_REPOSITORY)
    .replace(EXAMPLE_OWNER, owner)
}

export function describeAccount(world: World, { id, login, type }: Account): Fields {
  return {
    ...rename(ACCOUNT, world, encodeURIComponent(login)),
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: `${world.url}/avatars/u/${id}`,
    type,
    site_admin: false,
  }
}

export function describeRepository(world: World, repository: Repository): Fields {
  const { id, name, owner, defaultBranch, createdAt } = repository
  const fullName = fullNameOf(repository)
  return {
    ...rename(REPOSITORY, world, owner.login, fullName),
    id,
    node_id: nodeId('Repository', id),
    name,
    full_name: fullName,
    private: repository.private,
    visibility: repository.private ? 'private' : 'public',
    owner: describeAccount(world, owner),
    description: null,
    fork: repository.forkOf !== null,
    clone_url: `${world.url}/${fullName}.git`,
    created_at: createdAt,
    updated_at: createdAt,
    pushed_at: createdAt,
    has_pages: false,
    has_discussions: false,
    topics: [],
    archived: false,
    disabled: false,
    default_branch: defaultBranch,
  }
}

/** The few fields of a repository that events about installations hold. */
export function describeRepositoryShortly(repository: Repository): Fields {
  const { id, name } = repository
  return { id, node_id: nodeId('Repository', id), name, full_name: fullNameOf(repository), private: repository.private }
}

export function describeApp(world: World, app: App): Fields {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    client_id: app.clientId,
    owner: describeAccount(world, app.owner),
    name: app.name,
    description: app.description,
    external_url: app.externalUrl,
    html_url: appUrl(world, app),
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions,
    events: app.events,
  }
}

/** Where GitHub Enterprise Server has the page of an app. */
export function appUrl(world: World, app: App): string {
  return `${world.url}/github-apps/${app.slug}`
}

export function describeInstallation(world: World, installation: Installation): Fields {
  const { id, app, account, suspendedAt } = installation
  const page = account.type === 'Organization' ? `organizations/${account.login}/settings` : 'settings'
  return {
    ...rename(INSTALLATION, world, account.login),
    id,
    account: describeAccount(world, account),
    repository_selection: installation.selection,
    access_tokens_url: `${world.url}/api/v3/app/installations/${id}/access_tokens`,
    repositories_url: `${world.url}/api/v3/installation/repositories`,
    html_url: `${world.url}/${page}/installations/${id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: installation.permissions,
    events: installation.events,
    created_at: installation.createdAt,
    updated_at: installation.updatedAt,
    suspended_at: suspendedAt,
    suspended_by: suspendedAt === null ? null : describeAccount(world, account),
  }
}

export function nodeId(kind: string, id: number): string {
  return Buffer.from(`${kind}${id}`).toString('base64')
}
