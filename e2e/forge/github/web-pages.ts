import { randomBytes } from 'node:crypto'
import { type Fields, isFields, textOf } from '../fields.ts'
import { type Answer, type Call, Refusal } from '../http/call.ts'
import type { Route } from '../http/route.ts'
import { escape, page } from './html.ts'
import type { Installing } from './installing.ts'
import { createCode, findManifestFaults, registerApp } from './registration.ts'
import { type Account, type App, accountOf, findRepository, type Repository, type World } from './world.ts'

/**
 * The pages that a person's browser comes to. Whoever comes is signed in as the owner of the account: an organisation that
 * does not exist yet is made. One request is enough to pass a page: the form's address with its fields.
 */
export function pageRoutes(world: World, installing: Installing): readonly Route[] {
  const waiting = new Map<
    string,
    { readonly manifest: Fields; readonly owner: Account; readonly state: string | null }
  >()

  function showManifest(call: Call, owner: Account): Answer {
    const manifest = readManifest(call.body)
    if (!manifest) return page(422, 'Invalid manifest', '<p id="error">Error: the manifest is no JSON object.</p>')
    const faults = findManifestFaults(world, manifest)
    if (faults.length > 0) {
      const listed = faults.map((fault) => `<li>${escape(fault)}</li>`).join('')
      return page(422, 'Invalid GitHub App configuration', `<ul id="errors">${listed}</ul>`)
    }
    const key = randomBytes(16).toString('hex')
    waiting.set(key, { manifest, owner, state: call.query.get('state') })
    const name = escape(textOf(manifest, 'name') ?? '')
    return page(
      200,
      `Create GitHub App for ${owner.login}`,
      `<form method="post" action="/settings/apps/manifests/${key}">
        <label>GitHub App name <input name="name" value="${name}"></label>
        <button type="submit">Create GitHub App for ${escape(owner.login)}</button>
      </form>`,
    )
  }

  /** Leads the browser back with the code. */
  async function confirm({ params, body }: Call): Promise<Answer> {
    const asked = waiting.get(params['key'] ?? '')
    if (!asked) return page(404, 'Not found', '<p id="error">This page is gone.</p>')
    const name = textOf(body, 'name') || textOf(asked.manifest, 'name')
    const manifest = { ...asked.manifest, ...(name ? { name } : {}) }
    const faults = findManifestFaults(world, manifest)
    if (faults.length > 0)
      return page(422, 'Invalid GitHub App configuration', `<p id="error">${escape(faults[0] ?? '')}</p>`)
    waiting.delete(params['key'] ?? '')
    const { app, privateKey } = await registerApp(world, asked.owner, manifest)
    const code = createCode(world, app, privateKey)
    return leadTo(app.redirectUrl ?? world.url, { code, state: asked.state })
  }

  function appOf({ params }: Call): App {
    const app = [...world.apps.values()].find(({ slug }) => slug === params['slug'])
    if (!app) throw new Refusal(page(404, 'Not found', '<p id="error">No such app.</p>'))
    return app
  }

  function showInstallation(call: Call): Answer {
    const app = appOf(call)
    const accounts = [...world.accounts.values()].filter((account) => mayInstall(app, account))
    const options = accounts.map(({ login }) => `<option>${escape(login)}</option>`).join('')
    const state = escape(call.query.get('state') ?? '')
    return page(
      200,
      `Install ${app.name}`,
      `<form method="post" action="/github-apps/${app.slug}/installations">
        <input type="hidden" name="state" value="${state}">
        <label>Account <select name="account">${options}</select></label>
        <label>Only these repositories <input name="repositories" placeholder="all repositories"></label>
        <button type="submit" name="do" value="install">Install</button>
        <button type="submit" name="do" value="request">Request</button>
      </form>`,
    )
  }

  function install(call: Call): Answer {
    const app = appOf(call)
    const state = textOf(call.body, 'state') || null
    const account = accountOf(world, textOf(call.body, 'account') || app.owner.login, 'Organization')
    if (!mayInstall(app, account))
      return page(404, 'Not found', '<p id="error">A private app belongs to its owner.</p>')
    // Somebody without rights asks an owner, who may install it much later: there is no installation yet.
    if (textOf(call.body, 'do') === 'request') return leadBack(app, { setup_action: 'request', state })
    const repositories = readRepositories(world, account, textOf(call.body, 'repositories') ?? '')
    if (repositories === undefined) return page(422, 'Unknown repository', '<p id="error">No such repository.</p>')
    const { installation, isNew } = installing.install({ app, account, repositories }, account)
    const given = { installation_id: String(installation.id), setup_action: isNew ? 'install' : 'update', state }
    if (!isNew && !app.setupOnUpdate) return page(200, 'Saved', '<p id="saved">The choice is saved.</p>')
    return leadBack(app, given)
  }

  return [
    {
      method: 'POST',
      path: '/settings/apps/new',
      handle: (call) => showManifest(call, accountOf(world, 'octocat')),
    },
    {
      method: 'POST',
      path: '/organizations/{org}/settings/apps/new',
      handle: (call) => showManifest(call, accountOf(world, call.params['org'] ?? '', 'Organization')),
    },
    { method: 'POST', path: '/settings/apps/manifests/{key}', handle: confirm },
    { method: 'GET', path: '/github-apps/{slug}/installations/new', handle: showInstallation },
    { method: 'POST', path: '/github-apps/{slug}/installations', handle: install },
    {
      method: 'GET',
      path: '/github-apps/{slug}',
      handle: (call) => page(200, appOf(call).name, '<p>An app of this fake forge.</p>'),
    },
  ]
}

function readManifest(body: Fields): Fields | undefined {
  try {
    const manifest: unknown = JSON.parse(textOf(body, 'manifest') ?? '')
    return isFields(manifest) ? manifest : undefined
  } catch {
    return undefined
  }
}

/** A private app can be installed by its owner only. */
function mayInstall(app: App, account: Account): boolean {
  return account.type !== 'Bot' && (app.public || account === app.owner)
}

/** Null: all. Undefined: one of them does not exist. */
function readRepositories(world: World, account: Account, text: string): readonly Repository[] | null | undefined {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  if (names.length === 0) return null
  const found = names.map((name) => findRepository(world, name.includes('/') ? name : `${account.login}/${name}`))
  return found.every((repository) => repository !== undefined) ? found : undefined
}

function leadBack(app: App, query: Readonly<Record<string, string | null>>): Answer {
  if (app.setupUrl === null) return page(200, 'Installed', '<p id="installed">Okay, the app is installed.</p>')
  return leadTo(app.setupUrl, query)
}

function leadTo(address: string, query: Readonly<Record<string, string | null>>): Answer {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.set(name, value)
  return { status: 302, headers: { location: url.href } }
}
