import { createPublicKey, generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { type Fields, fieldsOf, textOf, textsOf } from '../fields.ts'
import { type Account, type App, accountOf, type Permissions, type World } from './world.ts'

const generate = promisify(generateKeyPair)

const LONGEST_NAME = 34
const MOST_CALLBACKS = 10
const HOUR_MS = 3_600_000

/** The permission without which an app cannot ask for an event. */
const EVENT_NEEDS: Readonly<Record<string, readonly string[]>> = {
  push: ['contents'],
  create: ['contents'],
  delete: ['contents'],
  release: ['contents'],
  pull_request: ['pull_requests'],
  pull_request_review: ['pull_requests'],
  pull_request_review_comment: ['pull_requests'],
  issue_comment: ['issues', 'pull_requests'],
  check_run: ['checks'],
  check_suite: ['checks'],
  status: ['statuses'],
  repository: ['metadata'],
  merge_group: ['merge_queues'],
  deployment: ['deployments'],
  deployment_status: ['deployments'],
}

/** What GitHub's form says is wrong with a manifest; empty: nothing. */
export function findManifestFaults(world: World, manifest: Fields): readonly string[] {
  const faults: string[] = []
  const name = textOf(manifest, 'name') ?? ''
  if ([...name].length > LONGEST_NAME) faults.push(`Name is too long (maximum is ${LONGEST_NAME} characters)`)
  if ([...world.apps.values()].some((app) => app.slug === slugOf(name))) faults.push('Name has already been taken')
  if (!isAddress(textOf(manifest, 'url'))) faults.push('Url must be a valid URL')
  if (!isAddress(textOf(manifest, 'redirect_url'))) faults.push('Redirect url must be a valid URL')
  const hook = fieldsOf(manifest, 'hook_attributes')
  if (manifest['hook_attributes'] !== undefined && !isAddress(textOf(hook, 'url')))
    faults.push('Hook url must be a valid URL')
  if (textsOf(manifest, 'callback_urls').length > MOST_CALLBACKS) faults.push('Callback urls: at most 10 are allowed')
  if (manifest['setup_url'] !== undefined && !isAddress(textOf(manifest, 'setup_url')))
    faults.push('Setup url is invalid')
  const permissions = readPermissions(manifest)
  for (const [permission, access] of Object.entries(permissions)) {
    if (!['read', 'write', 'admin'].includes(access))
      faults.push(`Default permission records resource is not included: ${permission}`)
  }
  const lacking = textsOf(manifest, 'default_events').filter(
    (event) => !(EVENT_NEEDS[event] ?? []).some((permission) => permissions[permission] !== undefined),
  )
  if (lacking.length > 0) faults.push(`Default events unsupported: ${lacking.join(', ')}`)
  return faults
}

function readPermissions(manifest: Fields): Permissions {
  const wanted = Object.entries(fieldsOf(manifest, 'default_permissions'))
  return { ...Object.fromEntries(wanted.map(([name, access]) => [name, String(access)])), metadata: 'read' }
}

function isAddress(value: string | undefined): boolean {
  return value !== undefined && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Makes the app of a manifest. The private key is handed out once. */
export async function registerApp(
  world: World,
  owner: Account,
  manifest: Fields,
): Promise<{ readonly app: App; readonly privateKey: string }> {
  const { privateKey, key } = await createKey()
  const name = textOf(manifest, 'name') ?? `app-${world.apps.size + 1}`
  const slug = slugOf(name)
  const hook = fieldsOf(manifest, 'hook_attributes')
  const id = world.nextId()
  const app: App = {
    id,
    slug,
    name,
    clientId: `Iv1.${randomBytes(8).toString('hex')}`,
    clientSecret: randomBytes(20).toString('hex'),
    owner,
    bot: accountOf(world, `${slug}[bot]`, 'Bot'),
    description: textOf(manifest, 'description') ?? '',
    externalUrl: textOf(manifest, 'url') ?? world.url,
    redirectUrl: textOf(manifest, 'redirect_url') ?? null,
    setupUrl: textOf(manifest, 'setup_url') ?? null,
    setupOnUpdate: manifest['setup_on_update'] === true,
    public: manifest['public'] === true,
    keys: [key],
    permissions: readPermissions(manifest),
    events: textsOf(manifest, 'default_events'),
    hook: {
      id: world.nextId(),
      url: textOf(hook, 'url') ?? '',
      secret: textOf(hook, 'url') === undefined ? null : randomBytes(20).toString('hex'),
      active: textOf(hook, 'url') !== undefined && hook['active'] !== false,
      events: [],
    },
    createdAt: world.clock.text(),
  }
  world.apps.set(id, app)
  return { app, privateKey }
}

/** PKCS#1, as GitHub hands it out. */
export async function createKey() {
  const { privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return { privateKey, key: createPublicKey(privateKey) }
}

/** The code that the conversion takes: once, within an hour. */
export function createCode(world: World, app: App, privateKey: string): string {
  const code = randomBytes(20).toString('hex')
  world.codes.set(code, { code, app, privateKey, expiresAt: world.clock.now() + HOUR_MS })
  return code
}
