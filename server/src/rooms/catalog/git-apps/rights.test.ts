import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aMember } from '#rooms/foundation/access/testing'
import { anInstallation, openGitApps } from './testing.ts'

// Who may what: apps are the platform's, so owners of teams may nothing of them. Each write is recorded once.

const room = await openGitApps()
const { db, github, send } = room
github.installations.set('42', anInstallation('acme', ['web']))
const owner = await aMember(db, 'owner', 'owner', '/')
const inTeam = await aMember(db, 'in-team', 'owner', 'acme')
const records = async (): Promise<string[]> =>
  (await db.selectFrom('audit_records').select('action').orderBy('id').execute()).map(({ action }) => action)

const private_key = github.keys[0] ?? ''
const settings = { app_id: '7', private_key, webhook_secret: 'a-secret', base_url: github.url, team_path: 'acme' }
const start = { organization: 'acme', base_url: github.url, callback_url: 'http://127.0.0.1:9999' }

/** In this order: what one makes the next ones use. */
const ROUTES = [
  ['GET', '', undefined, 200],
  ['POST', '/register/start', start, 200, 'git_app.registration_started'],
  ['GET', '/registration', undefined, 200],
  ['PUT', '', settings, 200, 'git_app.updated'],
  ['POST', '/doctor', undefined, 200],
  ['POST', '/install/start', undefined, 200, 'git_app.installation_started'],
  ['POST', '/installations', { installation_id: '42' }, 201, 'git_installation.recorded'],
  ['GET', '/installations', undefined, 200],
  ['GET', '/installations/42', undefined, 200],
  ['POST', '/installations/42/verify', undefined, 200],
  ['POST', '/installations/42/refresh', undefined, 200],
  ['GET', '/installations/42/repositories', undefined, 200],
  ['PUT', '/installations/42/teams', { teams: [{ team_path: 'acme' }] }, 200, 'git_installation.teams_changed'],
  ['DELETE', '/installations/42', undefined, 204, 'git_installation.deleted'],
  ['DELETE', '', undefined, 204, 'git_app.deleted'],
] as const

describe('an app is for administrators of the platform', () => {
  for (const [method, path, body, status, action] of ROUTES) {
    test(`${method} ${path}`, async () => {
      const before = await records()
      for (const member of [owner, inTeam]) {
        const refused = await send(method, path, body, member)
        assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'])
      }
      assert.deepEqual(await records(), before)
      const done = await send(method, path, body)
      assert.equal(done.status, status, done.text)
      assert.deepEqual((await records()).slice(before.length), action === undefined ? [] : [action])
    })
  }
})

test('the repositories of a team are for those who may see its sources', async () => {
  assert.equal((await send('GET', '/repositories?team_path=acme', undefined, room.viewer)).status, 200)
  assert.equal((await send('GET', '/repositories?team_path=other', undefined, room.viewer)).status, 403)
})
