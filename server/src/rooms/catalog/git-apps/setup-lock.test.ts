import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestHttp, testAuthenticator, testCaller } from '#platform/testing'
import { APPS, openGitApps } from './testing.ts'

// The routes while first-install setup is locked, for a caller who may do everything.

const room = await openGitApps()
const locked = { ...testAuthenticator({ reader: testCaller() }), isSetupLocked: async () => true }
const http = await createTestHttp(room.parts.routes ?? [], locked)
after(() => http.app.close())

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
  http.app.inject({
    method,
    url: `${APPS}${path}`,
    headers: { authorization: 'Bearer reader' },
    ...(payload ? { payload } : {}),
  })

test('the settings and the installations can be read', async () => {
  for (const [path, empty] of [
    ['', '{}'],
    ['/installations', '[]'],
  ] as const) {
    const { statusCode, body } = await ask('GET', path)
    assert.deepEqual([statusCode, body], [200, empty])
  }
})

test('everything else waits for the end of the setup', async () => {
  for (const [method, path, body] of [
    ['PUT', '', { app_id: '1' }],
    ['DELETE', ''],
    ['POST', '/doctor'],
    ['POST', '/register/start', { organization: 'acme' }],
    ['GET', '/registration'],
    ['POST', '/install/start'],
    ['POST', '/installations', { installation_id: '1' }],
    ['GET', '/installations/1'],
    ['DELETE', '/installations/1'],
    ['POST', '/installations/1/verify'],
    ['POST', '/installations/1/refresh'],
    ['GET', '/installations/1/repositories'],
    ['PUT', '/installations/1/teams', { teams: [] }],
    ['GET', '/repositories?team_path=acme'],
  ] as const) {
    const answer = await ask(method, path, body)
    assert.deepEqual([answer.statusCode, answer.json().code], [403, 'setup_locked'], `${method} ${path}`)
  }
})
