import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestClock, createTestDatabase, createTestHttp, createTestKit } from '#platform/testing'
import { aTeam } from '#rooms/foundation/teams/testing'
import { aMember, openFoundation } from '../testing.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const env = { BOOTSTRAP_ADMIN_TOKEN: 'the-bootstrap-token-of-this-test' }
const house = await openFoundation(createTestKit(database, { clock: createTestClock(), env }))
const http = await createTestHttp(house.routes, house.access.authenticator)
await aTeam(db, 'acme/web')
const admin = await aMember(db, 'admin', 'administrator', '/')
const owner = await aMember(db, 'owner', 'owner', 'acme/web')
after(async () => {
  await http.app.close()
  await house.close()
})

const send = (token: string, method: 'POST' | 'PATCH', url: string, payload: object) =>
  http.app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, payload })

test('an owner gets no token of an account that has more than they, also while they have disabled it', async () => {
  const wanted = { team_path: 'acme/web', name: 'platform-bot' }
  const { id } = (await send(admin.token, 'POST', '/v1/service-accounts', wanted)).json()
  const grant = { subject: `service_account:${id}`, role: 'administrator', team_path: '/' }
  assert.equal((await send(admin.token, 'POST', '/v1/grants', grant)).statusCode, 201)
  const askForToken = () => send(owner.token, 'POST', '/v1/tokens', { name: 'mine', service_account_id: id })
  assert.equal((await askForToken()).json().code, 'grant.exceeds_own')
  const disabled = await send(owner.token, 'PATCH', `/v1/service-accounts/${id}`, { disabled: true })
  assert.equal(disabled.statusCode, 200)
  assert.equal((await askForToken()).json().code, 'grant.exceeds_own')
})
