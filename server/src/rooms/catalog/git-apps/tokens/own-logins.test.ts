import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { createTestClock, until } from '#platform/testing'
import { openGitApps } from '../testing.ts'
import { keepOwnLogins } from './own-logins.ts'

const clock = createTestClock(new Date())
const room = await openGitApps({ clock })
const { db, database, door } = room
await database.notifications.ready()

let asked = 0
let failing = false
let login = 'first'
const logins = keepOwnLogins({ notifications: database.notifications, clock }, async () => {
  asked += 1
  if (failing) throw new Error('the database is away')
  return login
})
after(() => logins.close())
beforeEach(() => {
  asked = 0
})

const tell = () => db.updateTable('git_apps').set({ slug: crypto.randomUUID() }).execute()

test('any number of deliveries of a source ask once, until an app changes', async () => {
  await room.register()
  await until('its news', () => database.notifications.hears('git_apps_changed'), Boolean)
  await logins.of('a source')
  asked = 0
  const all = await Promise.all(Array.from({ length: 50 }, () => logins.of('a source')))
  assert.deepEqual([asked, new Set(all)], [0, new Set(['first'])])
  login = 'second'
  await tell()
  await until(
    'the new name',
    () => logins.of('a source'),
    (now) => now === 'second',
  )
})

test('a name is asked for again after five seconds: notifications can be lost unnoticed', async () => {
  await logins.of('a third source')
  asked = 0
  await clock.advance(4_999)
  await logins.of('a third source')
  assert.equal(asked, 0)
  await clock.advance(1)
  await logins.of('a third source')
  assert.equal(asked, 1)
})

test('a database that could not be reached is asked again', async () => {
  failing = true
  await assert.rejects(logins.of('another source'))
  failing = false
  assert.equal(await logins.of('another source'), login)
})

test('the name of an app that is renamed, forgotten and made anew is the one of now', async () => {
  const { body } = await room.send('GET', '')
  const now = (wanted: string | undefined) =>
    until(
      `the name ${wanted}`,
      () => door.botLoginOf(body.source_id),
      (told) => told === wanted,
    )
  await db.updateTable('git_apps').set({ slug: 'renamed' }).execute()
  await now('renamed[bot]')
  await room.send('DELETE', '')
  await now(undefined)
})

test('an update that changes nothing drops no tokens', async () => {
  await db.deleteFrom('webhook_sources').execute()
  await room.register()
  const heard: (string | undefined)[] = []
  const end = database.notifications.listen('git_apps_changed', (payload) => void heard.push(payload))
  // Notifications come in the order of their transactions.
  const mark = async (name: string) => {
    await sql`select pg_notify('git_apps_changed', ${name})`.execute(db)
    await until(
      `the mark ${name}`,
      () => heard.indexOf(name),
      (at) => at !== -1,
    )
  }
  await mark('before')
  await room.work('git_apps.note-app')
  await db.updateTable('git_apps').set({ updated_at: new Date() }).execute()
  await mark('unchanged')
  await tell()
  await mark('changed')
  end()
  const since = heard.slice(heard.indexOf('before') + 1)
  assert.deepEqual(since, ['unchanged', 'github', 'changed'])
})
