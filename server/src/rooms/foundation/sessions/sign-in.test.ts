import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createPasswords, sha256 } from '#platform/crypto'
import { browserAccessOf } from '#platform/http'
import { createTestDatabase, createTestHttp, createTestKit } from '#platform/testing'
import { aMember, openFoundation } from '#rooms/foundation/access/testing'
import { sessions } from './index.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const kit = createTestKit(database, { env: { BASE_URL: 'https://ci.example.com' } })
const house = await openFoundation(kit)
const parts = await sessions.open(kit, house)
const http = await createTestHttp([...house.routes, ...(parts.routes ?? [])], parts.door.authenticator, undefined, {
  browsers: browserAccessOf(kit.config),
})
after(async () => {
  await http.app.close()
  await parts.close?.()
  await house.close()
})

const PASSWORD = 'correct horse battery'
const passwordHash = await createPasswords().hash(PASSWORD)
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }
await aMember(db, 'root', 'administrator', '/')

async function aPerson(login: string): Promise<string> {
  const { id } = await aMember(db, login, 'viewer', '/')
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute()
  return id
}

const signIn = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  http.app.inject({ method: 'POST', url: '/v1/sessions', payload: body, headers: { ...OWN_PAGE, ...headers } })

function cookieOf(answer: { readonly headers: Readonly<Record<string, unknown>> }): string {
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}

const ask = (cookie: string, url: string, method: InjectOptions['method'] = 'GET') =>
  http.app.inject({ method, url, headers: { ...OWN_PAGE, cookie } })

describe('signing in with a password', () => {
  test('opens a session that is its user, and answers its secret in the cookie alone', async () => {
    const id = await aPerson('ada')
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'
    const answer = await signIn({ login: 'ada', password: PASSWORD }, { 'user-agent': userAgent })
    assert.equal(answer.statusCode, 201, answer.body)
    const session = answer.json()
    assert.deepEqual(
      [session.user_id, session.method, session.provider, session.device, session.current],
      [id, 'password', null, 'Firefox on Linux', true],
    )
    const setCookie = String(answer.headers['set-cookie'])
    assert.match(setCookie, /^__Host-session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const secret = cookieOf(answer).split('=')[1] ?? ''
    assert.ok(!answer.body.includes(secret))
    const stored = await db.selectFrom('sessions').selectAll().where('id', '=', session.id).executeTakeFirstOrThrow()
    assert.ok(stored.digest.equals(sha256(secret)))
    const me = (await ask(cookieOf(answer), '/v1/auth/me')).json()
    assert.deepEqual([me.kind, me.id, me.name, me.session_id], ['user', id, 'ada', session.id])
  })
})
