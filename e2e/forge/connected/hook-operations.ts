import type { RepositoryHook } from '../github/world.ts'
import { type Call, Refusal } from '../http/call.ts'
import { type Operations, type Parts, pageOf, READ, WRITE } from './parts.ts'

/** Webhooks of a repository, and the log that GitLab has of them. */
export function hookOperations(parts: Parts): Operations {
  const { world, dialect, access, events } = parts
  const { shapes } = dialect

  /** Whoever keeps webhooks is an administrator. */
  function hookOf(call: Call, scope = WRITE): RepositoryHook {
    const { repository } = access.enter(call, scope, 'admin')
    const hook = repository.hooks.get(Number(call.params['hook']))
    if (!hook) throw new Refusal(dialect.notFound)
    return hook
  }

  return {
    hooks(call) {
      const { repository } = access.enter(call, READ, 'admin')
      return pageOf(parts, call, [...repository.hooks.values()], (hook) => shapes.hook(world, hook))
    },
    createHook(call) {
      const { repository } = access.enter(call, WRITE, 'admin')
      const [now, none] = [world.clock.text(), { url: '', secret: null, active: true, events: [] }]
      const hook: RepositoryHook = { ...none, id: world.nextId(), repository, createdAt: now, updatedAt: now }
      Object.assign(hook, dialect.readHook(call.body, hook))
      if (!/^https?:\/\/./.test(hook.url)) throw new Refusal(dialect.wrong('the address of the webhook is invalid'))
      repository.hooks.set(hook.id, hook)
      return { status: 201, body: shapes.hook(world, hook) }
    },
    hook: (call) => ({ status: 200, body: shapes.hook(world, hookOf(call, READ)) }),
    updateHook(call) {
      const hook = hookOf(call)
      Object.assign(hook, dialect.readHook(call.body, hook), { updatedAt: world.clock.text() })
      return { status: 200, body: shapes.hook(world, hook) }
    },
    deleteHook(call) {
      const hook = hookOf(call)
      hook.repository.hooks.delete(hook.id)
      return { status: 204 }
    },
    testHook(call) {
      events.test(hookOf(call))
      return dialect.id === 'gitlab' ? { status: 201, body: { message: '201 Created' } } : { status: 204 }
    },
    hookEvents(call) {
      const hook = hookOf(call)
      const log = world.mailbox.deliveries.filter(({ letter }) => letter.hook === hook).toReversed()
      return pageOf(parts, call, log, shapes.delivery)
    },
    resendHookEvent(call) {
      const hook = hookOf(call)
      const delivery = world.mailbox.deliveries.find(
        ({ id, letter }) => letter.hook === hook && String(id) === call.params['event'],
      )
      if (!delivery) throw new Refusal(dialect.notFound)
      world.mailbox.redeliver(delivery)
      return { status: 201, body: { response_status: 200 } }
    },
  }
}
