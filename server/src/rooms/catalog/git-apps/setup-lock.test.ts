import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMember } from '#rooms/foundation/access/testing'
import { openTestHouse } from '../../../testing/test-house.ts'
import { APPS } from './testing.ts'

// The real house before its first administrator.

const { db, ask } = await openTestHouse()

test('while setup is locked the settings and the installations can be read, and nothing else', async () => {
  const { token } = await aMember(db, 'early', 'owner', '/')
  for (const path of ['', '/installations']) {
    const { status, text } = await ask(token, 'GET', `${APPS}${path}`)
    assert.ok(status === 200 || text.includes('"forbidden"'), `${path}: ${text}`)
    assert.doesNotMatch(text, /setup_locked/)
  }
  const others = [
    ['PUT', '', { app_id: '1' }],
    ['DELETE', '', undefined],
    ['POST', '/doctor', undefined],
    ['POST', '/register/start', { organization: 'acme' }],
    ['POST', '/install/start', undefined],
    ['POST', '/installations', { installation_id: '1' }],
    ['GET', '/installations/1', undefined],
    ['DELETE', '/installations/1', undefined],
    ['POST', '/installations/1/verify', undefined],
    ['POST', '/installations/1/refresh', undefined],
    ['GET', '/installations/1/repositories', undefined],
    ['PUT', '/installations/1/teams', { teams: [] }],
    ['GET', '/repositories?team_path=acme', undefined],
  ] as const
  for (const [method, path, body] of others) {
    const answer = await ask(token, method, `${APPS}${path}`, body)
    assert.deepEqual([answer.status, answer.body['code']], [403, 'setup_locked'], `${method} ${path}`)
  }
})
