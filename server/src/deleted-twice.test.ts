import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aMemberOf, aServiceAccount, aToken, aUser } from './rooms/foundation/access/testing.ts'
import { aTeam } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

const { db, ask, make } = await openTestHouse()
const people = [
  await aMemberOf(db, 'boss', { '/': 'administrator' }),
  await aMemberOf(db, 'other', { '/': 'administrator' }),
]
const [boss] = people
await aTeam(db, 'acme')

const things: Readonly<Record<string, readonly [path: string, create: () => Promise<string>]>> = {
  'grant.deleted': [
    '/v1/grants',
    async () => {
      const subject = `user:${await aUser(db, 'granted')}`
      return make(boss?.token, 'POST', '/v1/grants', { subject, role: 'viewer', team_path: 'acme' })
    },
  ],
  'group.deleted': ['/v1/groups', () => make(boss?.token, 'POST', '/v1/groups', { name: 'leads' })],
  'user.deleted': ['/v1/users', () => aUser(db, 'leaver')],
  'service_account.deleted': ['/v1/service-accounts', () => aServiceAccount(db, 'acme', 'robot')],
  'token.revoked': ['/v1/tokens', async () => (await aToken(db, { kind: 'user', id: await aUser(db, 'holder') })).id],
  'team.deleted': ['/v1/teams', () => aTeam(db, 'gone')],
}

describe('two people delete the same at once', () => {
  for (const [action, [path, create]] of Object.entries(things)) {
    test(`${action}: one has done it, and the record says who`, async () => {
      const id = await create()
      const answers = await Promise.all(people.map(({ token }) => ask(token, 'DELETE', `${path}/${id}`)))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 404])
      const { rows } = await sql`select id from audit_records where action = ${action}`.execute(db)
      assert.equal(rows.length, 1)
    })
  }
})
