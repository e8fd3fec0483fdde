import { fieldsOf, textOf, textsOf } from '../../fields.ts'
import type { Answer, Call } from '../../http/call.ts'
import type { Route } from '../../http/route.ts'
import { enter, type Need } from '../caller.ts'
import { describeDelivery, describeDeliveryFully, filterDeliveries, findDelivery } from '../delivery-log.ts'
import { describeHook } from '../describe.ts'
import type { Events } from '../events.ts'
import { cursorPageOf, pageOf } from '../paging.ts'
import { invalid, notFound, refuse } from '../refusals.ts'
import type { RepositoryHook, World } from '../world.ts'

const READ: Need = ['repository_hooks', 'read']
const WRITE: Need = ['repository_hooks', 'write']

const HOOKS = '/repos/{owner}/{repo}/hooks'
const HOOK = `${HOOKS}/{hook_id}`

/** Webhooks of a repository, and the log of their deliveries. */
export function hookRoutes(world: World, events: Events): readonly Route[] {
  function hookOf(call: Call, need: Need): RepositoryHook {
    const { repository } = enter(world, call, need)
    const hook = repository.hooks.get(Number(call.params['hook_id']))
    if (!hook) throw notFound()
    return hook
  }

  function deliveryOf(call: Call, need: Need) {
    const delivery = findDelivery(world, hookOf(call, need), call.params['delivery_id'])
    if (!delivery) throw notFound()
    return delivery
  }

  return [
    {
      method: 'GET',
      path: HOOKS,
      handle(call) {
        const { repository } = enter(world, call, READ)
        return pageOf(world.url, call, [...repository.hooks.values()], (hook) => describeHook(world, hook))
      },
    },
    { method: 'POST', path: HOOKS, handle: (call) => create(world, events, call) },
    { method: 'GET', path: HOOK, handle: (call) => ({ status: 200, body: describeHook(world, hookOf(call, READ)) }) },
    {
      method: 'PATCH',
      path: HOOK,
      handle(call) {
        const hook = hookOf(call, WRITE)
        change(hook, call)
        hook.updatedAt = world.clock.text()
        return { status: 200, body: describeHook(world, hook) }
      },
    },
    {
      method: 'DELETE',
      path: HOOK,
      handle(call) {
        const hook = hookOf(call, WRITE)
        hook.repository.hooks.delete(hook.id)
        return { status: 204 }
      },
    },
    {
      method: 'POST',
      path: `${HOOK}/pings`,
      handle(call) {
        events.ping(hookOf(call, READ))
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: `${HOOK}/deliveries`,
      handle(call) {
        const found = filterDeliveries(world, hookOf(call, READ), call.query)
        return cursorPageOf(world.url, call, found, describeDelivery)
      },
    },
    {
      method: 'GET',
      path: `${HOOK}/deliveries/{delivery_id}`,
      handle: (call) => ({ status: 200, body: describeDeliveryFully(deliveryOf(call, READ)) }),
    },
    {
      method: 'POST',
      path: `${HOOK}/deliveries/{delivery_id}/attempts`,
      handle(call) {
        world.mailbox.redeliver(deliveryOf(call, WRITE))
        return { status: 202, body: {} }
      },
    },
  ]
}

function create(world: World, events: Events, call: Call): Answer {
  const { repository } = enter(world, call, WRITE)
  const now = world.clock.text()
  const hook: RepositoryHook = {
    id: world.nextId(),
    repository,
    url: '',
    secret: null,
    active: true,
    events: ['push'],
    createdAt: now,
    updatedAt: now,
  }
  change(hook, call)
  if (hook.url === '') throw invalid('Hook', 'url', 'missing_field')
  const known = [...repository.hooks.values()].some(({ url }) => url === hook.url)
  if (known) {
    const message = 'Hook already exists on this repository'
    throw refuse(422, 'Validation Failed', { errors: [{ resource: 'Hook', code: 'custom', message }] })
  }
  repository.hooks.set(hook.id, hook)
  events.ping(hook)
  return { status: 201, body: describeHook(world, hook) }
}

function change(hook: RepositoryHook, { body }: Call): void {
  const config = fieldsOf(body, 'config')
  const url = textOf(config, 'url')
  if (url !== undefined && !/^https?:\/\/./.test(url)) throw invalid('Hook', 'url', 'invalid')
  hook.url = url ?? hook.url
  // A new address without a secret ends the old secret, as GitHub documents of "config".
  if (body['config'] !== undefined) hook.secret = textOf(config, 'secret') ?? null
  if (typeof body['active'] === 'boolean') hook.active = body['active']
  if (body['events'] !== undefined) hook.events = textsOf(body, 'events')
}
