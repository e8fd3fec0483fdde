import { type Fields, isFields, listOf, textsOf } from '../../fields.ts'
import type { Answer, Call } from '../../http/call.ts'
import type { Route } from '../../http/route.ts'
import { readAppJwt } from '../app-jwt.ts'
import { readInstallation } from '../caller.ts'
import { describeDelivery, describeDeliveryFully, filterDeliveries, findDelivery } from '../delivery-log.ts'
import { cursorPageOf, pageOf } from '../paging.ts'
import { notFound, refuse } from '../refusals.ts'
import { describeApp, describeInstallation, describeRepository } from '../shapes.ts'
import { type App, type Installation, newToken, type Permissions, repositoriesOf, type World } from '../world.ts'

const HOUR_MS = 3_600_000
/** The most repositories that a token may be narrowed to. */
const MOST_REPOSITORIES = 500

/** What an app asks with its JWT, and what its installation is asked. */
export function appRoutes(world: World): readonly Route[] {
  const appOf = (call: Call): App => readAppJwt(world, call.headers.authorization)

  function installationOf(call: Call): Installation {
    const app = appOf(call)
    const installation = world.installations.get(Number(call.params['installation_id']))
    if (!installation || installation.app !== app) throw notFound()
    return installation
  }

  function deliveryOf(call: Call) {
    const delivery = findDelivery(world, appOf(call).hook, call.params['delivery_id'])
    if (!delivery) throw notFound()
    return delivery
  }

  return [
    {
      method: 'POST',
      path: '/app-manifests/{code}/conversions',
      handle({ params }) {
        const code = world.codes.get(params['code'] ?? '')
        if (!code || code.expiresAt <= world.clock.now()) throw notFound()
        world.codes.delete(code.code)
        const { app, privateKey } = code
        const secrets = { client_secret: app.clientSecret, webhook_secret: app.hook.secret, pem: privateKey }
        return { status: 201, body: { ...describeApp(world, app), ...secrets } }
      },
    },
    {
      method: 'GET',
      path: '/app',
      handle(call) {
        const app = appOf(call)
        const count = [...world.installations.values()].filter((installation) => installation.app === app).length
        return { status: 200, body: { ...describeApp(world, app), installations_count: count } }
      },
    },
    {
      method: 'GET',
      path: '/app/installations',
      handle(call) {
        const app = appOf(call)
        const own = [...world.installations.values()].filter((installation) => installation.app === app)
        return pageOf(world.url, call, own, (installation) => describeInstallation(world, installation))
      },
    },
    {
      method: 'GET',
      path: '/app/installations/{installation_id}',
      handle: (call) => ({ status: 200, body: describeInstallation(world, installationOf(call)) }),
    },
    {
      method: 'POST',
      path: '/app/installations/{installation_id}/access_tokens',
      handle: (call) => createToken(world, installationOf(call), call.body),
    },
    {
      method: 'GET',
      path: '/installation/repositories',
      handle(call) {
        const { token, installation } = readInstallation(world, call)
        const own = repositoriesOf(world, installation).filter(({ id }) => token.repositoryIds?.has(id) ?? true)
        const page = pageOf(world.url, call, own, (repository) => describeRepository(world, repository))
        const selection = token.repositoryIds ? 'selected' : installation.selection
        return {
          ...page,
          body: { total_count: own.length, repository_selection: selection, repositories: page.body },
        }
      },
    },
    {
      method: 'DELETE',
      path: '/installation/token',
      handle(call) {
        world.tokens.delete(readInstallation(world, call).token.value)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: '/app/hook/config',
      handle(call) {
        const { url } = appOf(call).hook
        return { status: 200, body: { content_type: 'json', insecure_ssl: '0', secret: '********', url } }
      },
    },
    {
      method: 'GET',
      path: '/app/hook/deliveries',
      handle(call) {
        const found = filterDeliveries(world, appOf(call).hook, call.query)
        return cursorPageOf(world.url, call, found, describeDelivery)
      },
    },
    {
      method: 'GET',
      path: '/app/hook/deliveries/{delivery_id}',
      handle: (call) => ({ status: 200, body: describeDeliveryFully(deliveryOf(call)) }),
    },
    {
      method: 'POST',
      path: '/app/hook/deliveries/{delivery_id}/attempts',
      handle(call) {
        world.mailbox.redeliver(deliveryOf(call))
        return { status: 202, body: {} }
      },
    },
  ]
}

function createToken(world: World, installation: Installation, body: Fields): Answer {
  if (installation.suspendedAt) throw refuse(403, 'This installation has been suspended')
  const repositoryIds = narrowRepositories(world, installation, body)
  const permissions = narrowPermissions(installation, body['permissions'])
  const token = {
    value: newToken('ghs'),
    installation,
    person: installation.app.bot,
    permissions,
    repositoryIds,
    expiresAt: Math.floor(world.clock.now() / 1000) * 1000 + HOUR_MS,
    refusals: world.freshTokenRefusals,
  }
  world.tokens.set(token.value, token)
  const listed = [...world.repositories.values()].filter(({ id }) => repositoryIds?.has(id))
  return {
    status: 201,
    body: {
      token: token.value,
      expires_at: new Date(token.expiresAt).toISOString().replace('.000Z', 'Z'),
      permissions,
      repository_selection: repositoryIds ? 'selected' : installation.selection,
      ...(repositoryIds ? { repositories: listed.map((repository) => describeRepository(world, repository)) } : {}),
    },
  }
}

/** Null: all of the installation. */
function narrowRepositories(world: World, installation: Installation, body: Fields): ReadonlySet<number> | null {
  if (body['repositories'] === undefined && body['repository_ids'] === undefined) return null
  const own = repositoriesOf(world, installation)
  const names = textsOf(body, 'repositories')
  const ids = listOf(body, 'repository_ids')
  if (names.length + ids.length > MOST_REPOSITORIES) throw refuse(422, 'Validation Failed')
  // Names stand without their owner, which is the account of the installation.
  const found = [
    ...names.map((name) => own.find((repository) => repository.name.toLowerCase() === name.toLowerCase())),
    ...ids.map((id) => own.find((repository) => repository.id === id)),
  ].filter((repository) => repository !== undefined)
  if (found.length < names.length + ids.length) {
    throw refuse(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  }
  return new Set(found.map(({ id }) => id))
}

function narrowPermissions(installation: Installation, wanted: unknown): Permissions {
  if (wanted === undefined) return installation.permissions
  if (!isFields(wanted)) throw refuse(422, 'Validation Failed')
  const ranks: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 }
  const narrowed: Record<string, string> = { metadata: 'read' }
  for (const [permission, access] of Object.entries(wanted)) {
    const has = ranks[installation.permissions[permission] ?? ''] ?? 0
    const asked = ranks[String(access)]
    if (asked === undefined || asked > has) {
      throw refuse(422, 'The permissions requested are not granted to this installation.')
    }
    narrowed[permission] = String(access)
  }
  return narrowed
}
