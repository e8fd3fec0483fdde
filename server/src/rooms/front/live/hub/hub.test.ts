import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Notifications } from '#platform/database'
import { type LiveTopic, readTold, teamNames } from '#platform/live'
import { createTestClock, createTestDatabase, createTestKit } from '#platform/testing'
import { type AccessSnapshot } from '#rooms/foundation/access'
import { aSnapshot } from '../../../foundation/access/testing.ts'
import { createLiveMetrics } from '../metrics.ts'
import { Hub } from './hub.ts'
import { LiveStream } from './live-stream.ts'

// Changes on their way from a notification to streams, on a clock that stands still: windows, rights, positions.

const { database } = await createTestDatabase()
const USERS = ['ada', 'bob', 'eve'] as const
type User = (typeof USERS)[number]
type Token = NonNullable<LiveStream['viewer']['token']>
type Grants = Readonly<Partial<Record<User, readonly string[]>>>
/** With few streams. */
const WINDOW_MS = 100
/** A feed rests between two readings. */
const REST_MS = 20

function snapshotOf(revision: number, grants: Grants): AccessSnapshot {
  return aSnapshot({
    revision,
    users: USERS.map((id) => ({ id, login: id })),
    grants: USERS.flatMap((id) =>
      (grants[id] ?? []).map((teamPath) => ({ subjectKind: 'user', subjectId: id, role: 'viewer', teamPath }) as const),
    ),
  })
}

function openHub(grants: Grants) {
  const clock = createTestClock()
  let hear: (payload: string) => void = () => undefined
  const notifications: Notifications = {
    ...database.notifications,
    listen(_channel, handler) {
      hear = handler
      return () => undefined
    },
    ready: async () => undefined,
  }
  const kit = createTestKit({ ...database, notifications }, { clock })
  let snapshot = snapshotOf(1, grants)
  let judgements = 0
  const topic: LiveTopic = {
    kind: 'things',
    of: 'team',
    channels: ['thing_changed'],
    isByPermissions: true,
    mayFollow: async () => true,
    read: async (payloads) =>
      payloads.map((payload) => {
        const { change, place, id } = readTold(payload)
        const isFor: Awaited<ReturnType<LiveTopic['read']>>[number]['isFor'] = (viewer) => {
          judgements += 1
          return viewer.can('run.read', place)
        }
        return { id, change, names: teamNames(place), isFor }
      }),
  }
  const access = { snapshot: async () => snapshot }
  const hub = new Hub(kit, access, [topic], createLiveMetrics(kit))
  return {
    clock,
    judgements: () => judgements,
    listen: () => hub.listen(new Set(['things'])),
    grant(to: Grants) {
      snapshot = snapshotOf(snapshot.revision + 1, to)
    },
    join(user: User, names: readonly string[] = ['/'], lastEventId?: string, token?: Token): LiveStream {
      const topics = names.map((name) => ({ text: `things:${name}`, kind: 'things', name }))
      const stream = new LiveStream(topics, { kind: 'user', id: user, ...(token ? { token } : {}) })
      hub.join(stream, lastEventId, snapshot)
      return stream
    },
    /** Resolves when it is noted. */
    async change(place: string, id: string) {
      hear(`changed ${place} ${id}`)
      await new Promise(setImmediate)
      await clock.advance(REST_MS)
    },
    take: (stream: LiveStream) => hub.take(stream, snapshot),
    /** What the stream tells now: the name of a notice, the id of a thing, or `many`. */
    told: (stream: LiveStream): unknown[] => hub.take(stream, snapshot).events.map(labelOf),
  }
}

function labelOf({ event, ...rest }: { readonly event?: string }): unknown {
  const data = 'data' in rest ? rest.data : undefined
  const isChange = typeof data === 'object' && data !== null && 'id' in data
  return isChange ? (data.id ?? 'many') : event
}

test('a right that is gone before a change was told: nothing names it, and the page reads again; others are told', async () => {
  const hub = openHub({ ada: ['acme', 'base'], bob: ['acme'] })
  await hub.listen()
  const [ada, bob] = [hub.join('ada'), hub.join('bob')]
  await hub.change('acme', 'first')
  assert.deepEqual(
    [hub.told(ada), hub.told(bob)],
    [
      ['ready', 'first'],
      ['ready', 'first'],
    ],
  )
  await hub.change('acme', 'second')
  assert.deepEqual([hub.told(ada), hub.told(bob)], [[], []], 'the window is not over')
  hub.grant({ ada: ['base'], bob: ['acme'] })
  await hub.clock.advance(WINDOW_MS)
  assert.deepEqual([hub.told(ada), hub.told(bob)], [['reset'], ['second']])
  await hub.clock.advance(WINDOW_MS)
  await hub.change('acme', 'third')
  assert.deepEqual([hub.told(ada), hub.told(bob)], [[], ['third']])
})

test('a new right brings later changes only', async () => {
  const hub = openHub({ ada: ['base'], bob: ['acme'] })
  await hub.listen()
  const [ada, bob] = [hub.join('ada'), hub.join('bob')]
  await hub.change('acme', 'early')
  hub.grant({ ada: ['base', 'acme'], bob: ['acme'] })
  assert.deepEqual([hub.told(ada), hub.told(bob)], [['reset'], ['ready', 'early']])
  await hub.clock.advance(WINDOW_MS)
  await hub.change('acme', 'late')
  assert.deepEqual([hub.told(ada), hub.told(bob)], [['late'], ['late']])
})

test('a change is judged once for all who hold the same roles, and for each of the others', async () => {
  const hub = openHub({ ada: ['acme'], bob: ['acme'], eve: ['base'] })
  await hub.listen()
  const streams = USERS.flatMap((user) => Array.from({ length: 20 }, () => hub.join(user)))
  await hub.change('acme', 'thing')
  assert.equal(hub.judgements(), 2)
  const hearing = streams.filter((stream) => hub.told(stream).includes('thing'))
  assert.deepEqual(new Set(hearing.map(({ viewer }) => viewer.id)), new Set(['ada', 'bob']))
  assert.equal(hearing.length, 40)
})

test('a token with limits hears of what these leave, beside its owner and other tokens of its owner', async () => {
  const hub = openHub({ ada: ['acme', 'base'] })
  await hub.listen()
  const tokenOf = (id: string, limits: object): Token => ({ id, name: id, limits: { isReadOnly: true, ...limits } })
  const streams = [
    hub.join('ada'),
    hub.join('ada', ['/'], undefined, tokenOf('all', {})),
    hub.join('ada', ['/'], undefined, tokenOf('base', { teamPath: 'base' })),
    hub.join('ada', ['/'], undefined, tokenOf('logs', { permissions: ['log.read'] })),
  ]
  await hub.change('acme', 'thing')
  assert.deepEqual(
    streams.map((stream) => hub.told(stream)),
    [['ready', 'thing'], ['ready', 'thing'], ['ready'], ['ready']],
  )
})

test('streams that were told at different times are told together from then on', async () => {
  const hub = openHub({ ada: ['acme'], bob: ['acme'] })
  await hub.listen()
  const [prompt, late] = [hub.join('ada'), hub.join('bob')]
  await hub.change('acme', 'first')
  assert.deepEqual(hub.told(prompt), ['ready', 'first'])
  await hub.clock.advance(WINDOW_MS / 2)
  assert.deepEqual(hub.told(late), ['ready', 'first'])
  await hub.change('acme', 'second')
  const [{ waitMs }, other] = [hub.take(prompt), hub.take(late)]
  assert.equal(waitMs, other.waitMs)
  await hub.clock.advance(waitMs)
  assert.deepEqual([hub.told(prompt), hub.told(late)], [['second'], ['second']])
})

test('positions never go back, and whoever goes on behind one misses nothing, however slowly they read', async () => {
  const places = ['acme', 'acme/web', 'base'] as const
  const step = fc.oneof(
    fc.record({ change: fc.constantFrom(...places) }),
    fc.record({ take: fc.constantFrom(0, 1, 2) }),
    fc.record({ pass: fc.integer({ min: 1, max: WINDOW_MS }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const hub = openHub({ ada: ['acme', 'base'] })
      await hub.listen()
      const readers = [0, 1, 2].map(() => ({ stream: hub.join('ada', places), last: '', untold: new Set<string>() }))
      const read = (at: number): void => {
        const reader = readers[at]
        assert.ok(reader)
        for (const { id, ...event } of hub.take(reader.stream).events) {
          const data = 'data' in event ? event.data : undefined
          if (typeof data === 'object' && data && 'topic' in data) reader.untold.delete(String(data.topic))
          if (id === undefined) continue
          assert.ok(numberOf(id) >= numberOf(reader.last), `${id} behind ${reader.last}`)
          reader.last = id
        }
      }
      for (const at of readers.keys()) read(at)
      let made = 0
      for (const one of steps) {
        if ('change' in one) {
          await hub.change(one.change, `thing-${(made += 1)}`)
          const topics = teamNames(one.change).filter((name) => name !== '/')
          for (const { untold } of readers) for (const name of topics) untold.add(`things:${name}`)
        } else if ('take' in one) read(one.take)
        else await hub.clock.advance(one.pass)
      }
      for (const { last, untold } of readers) {
        const told = hub.take(hub.join('ada', places, last)).events.map((event) => JSON.stringify(event))
        for (const topic of untold)
          assert.ok(
            told.some((text) => text.includes(`"${topic}"`)),
            `${topic} in ${told.join()}`,
          )
      }
    }),
    { numRuns: 60 },
  )
})

function numberOf(position: string): number {
  return position === '' ? -1 : Number(position.slice(position.indexOf('.') + 1))
}
