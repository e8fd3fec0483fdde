import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createToken } from '#platform/crypto'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import type { Called } from '../sources/testing.ts'
import { type MadeTrigger, openExternalTriggers, PATH, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const clock = createTestClock()
const house = await openExternalTriggers(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely

const runsOf = (id: string) => db.selectFrom('runs').select('id').where('external_trigger_id', '=', id).execute()
const byUrl = ({ id, secret }: MadeTrigger): Promise<Called> =>
  house.call('POST', `${PATH}/${id}/fire/${secret}`, undefined, { headers: { authorization: '' } })

/** All that a sender can tell two answers apart by. */
function said({ status, headers, body }: Called): unknown {
  const { request_id: _id, ...rest } = body
  return { status, authenticate: headers['www-authenticate'], rest }
}

describe('what proves nothing', () => {
  const absent = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
  for (const [form, fire, status] of [
    ['the bearer', (made: MadeTrigger) => house.fire(made), 401],
    ['the address', byUrl, 404],
  ] as const) {
    test(`looks alike by ${form}: a wrong secret, another trigger's, a malformed one, an unknown id or identifier, a disabled one`, async () => {
      const made = await house.create()
      const other = await house.create()
      const off = await house.create({ enabled: false })
      const answers = [
        await fire({ ...made, secret: createToken('external_trigger').token }),
        await fire({ ...made, secret: other.secret }),
        await fire({ ...made, secret: `${made.secret.slice(0, -1)}_` }),
        await fire({ ...made, secret: 'sbxe_' }),
        await fire({ ...made, id: absent }),
        await fire({ ...made, id: 'acme%2Fweb%2Fabsent' }),
        await fire({ ...other, id: encodeURIComponent(made.identifier) }),
        await fire(off),
        await fire({ ...off, id: encodeURIComponent(off.identifier) }),
      ]
      assert.equal(answers[0]?.status, status)
      for (const answer of answers) assert.deepEqual(said(answer), said(answers[0] ?? answer))
      assert.deepEqual(await runsOf(made.id), [])
      await clock.advance(60_000)
    })
  }

  test('tokens of other kinds are no secrets, and a secret is no token', async () => {
    const made = await house.create()
    const { token } = await aMember(db, 'own', 'owner', TEAM)
    assert.equal((await byUrl({ ...made, secret: token })).status, 404, 'no token rides in an address')
    const { status } = await house.call('GET', `${PATH}/${made.id}`, undefined, {
      headers: { authorization: `Bearer ${made.secret}` },
    })
    assert.equal(status, 401)
  })

  test('a malformed secret is refused without a query', async () => {
    const made = await house.create()
    await db.schema.alterTable('external_triggers').renameTo('away').execute()
    try {
      assert.equal((await house.fire({ ...made, secret: `${made.secret.slice(0, -1)}_` })).status, 401)
      assert.equal((await byUrl({ ...made, secret: 'sbxe_x' })).status, 404)
      assert.equal((await house.fire(made)).status, 500, 'a whole one is looked up')
    } finally {
      await db.schema.alterTable('away').renameTo('external_triggers').execute()
    }
  })

  test('many of them are limited by address (429); the right secret still passes', async () => {
    const made = await house.create()
    const wrong = { ...made, secret: createToken('external_trigger').token }
    await clock.advance(60_000)
    const statuses = new Set<number>()
    for (let i = 0; i < 31; i++) statuses.add((await byUrl(wrong)).status)
    assert.deepEqual(statuses, new Set([404, 429]))
    const limited = await house.fire(wrong)
    assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '1'])
    assert.equal((await house.fire(made)).status, 202)
    await clock.advance(60_000)
  })
})

describe('an owner who lost the right', () => {
  const losses: readonly (readonly [how: string, lose: (id: string) => Promise<unknown>])[] = [
    ['by a smaller role', (id) => db.updateTable('grants').set({ role: 'viewer' }).where('user_id', '=', id).execute()],
    ['by no role at all', (id) => db.deleteFrom('grants').where('user_id', '=', id).execute()],
    ['deleted', (id) => house.call('DELETE', `/v1/users/${id}`)],
    ['disabled', (id) => house.call('PATCH', `/v1/users/${id}`, { disabled: true })],
  ]
  for (const [how, lose] of losses) {
    test(`${how}: 403 says so in plain words, the trigger says why, and a repeated key gets no answer`, async () => {
      const owner = await aMember(db, `owner-${how.replaceAll(' ', '-')}`, 'editor', TEAM)
      const made = await house.create()
      const patched = await house.call('PATCH', `${PATH}/${made.id}`, { rate_limit: { per_minute: 99 } }, owner)
      assert.equal(patched.status, 200)
      const key = { headers: { 'idempotency-key': 'before' } }
      assert.equal((await house.fire(made, undefined, key)).status, 202)
      await lose(owner.id)
      await house.rooms.access.authenticator.requireFresh()
      await clock.advance(6000)
      const refused = await house.fire(made)
      assert.deepEqual([refused.status, refused.body['code']], [403, 'external_trigger.refused'], refused.text)
      assert.match(String(refused.body['detail']), /its owner may not start it any more/)
      assert.doesNotMatch(refused.text, /acme|staging|owner-|run\.start/)
      const repeated = await house.fire(made, undefined, key)
      assert.equal(repeated.status, 403, 'a stored answer is for who still may fire')
      assert.equal((await runsOf(made.id)).length, 1)
      const shown = await house.call('GET', `${PATH}/${made.id}`)
      assert.match(String(shown.body['last_refusal']), /owner-.*(lacks|does not exist|disabled|may not see it)/)
    })
  }
})

test('a reader of the trigger who may not read the pipeline does not hear what it uses', async () => {
  await aTeam(db, 'acme/ops')
  const made = await house.create({ team_path: 'acme/ops' })
  const last_refusal = 'steps.build.secrets: There is no secret acme/web/npm.'
  await db.updateTable('external_triggers').set({ last_refusal }).where('id', '=', made.id).execute()
  const editor = await aMember(db, 'ops', 'editor', 'acme/ops')
  for (const [method, path, body] of [
    ['GET', `${PATH}/${made.id}`, undefined],
    ['GET', PATH, undefined],
    ['PATCH', `${PATH}/${made.id}`, { enabled: false }],
  ] as const) {
    const { status, text } = await house.call(method, path, body, editor)
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, /npm/)
    assert.match(text, /Whoever may read the pipeline is told why/)
  }
  assert.match((await house.call('GET', `${PATH}/${made.id}`)).text, /npm/, 'others are told')
  const audited = await db.selectFrom('audit_records').selectAll().where('resource_id', '=', made.id).execute()
  assert.doesNotMatch(JSON.stringify(audited), /npm/)
})
