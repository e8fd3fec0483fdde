import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestClock } from '#platform/testing'
import { aMember, aMemberOf } from './rooms/foundation/access/testing.ts'
import { aTeam } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

// What stands before the endpoint for agents: the setup, the configuration, and grants that are fresh. What is asked there
// is not even read, so that its broken JSON is told to nobody.

const clock = createTestClock(new Date())
const house = await openTestHouse({ clock, env: { MCP_FAMILIES: 'runs' } })
const { db, kit } = house
await aTeam(db, 'acme')
const { token } = await aMemberOf(db, 'vera', { acme: 'owner' })

async function send(payload: string | object) {
  const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1:8080' }
  const { statusCode, body } = await house.http.app.inject({ method: 'POST', url: '/v1/mcp', headers, payload })
  return { status: statusCode, body: JSON.parse(body) }
}

const call = (name: string) => send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })

test('the endpoint waits for the setup, offers the families of the configuration, and needs fresh grants', async () => {
  const locked = await send('{')
  assert.deepEqual([locked.status, locked.body.code], [403, 'setup_locked'])
  await aMember(db, 'root', 'administrator', '/')
  assert.equal((await send('{')).body.error.code, -32_700)

  const { tools } = (await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).body.result
  const names: readonly string[] = tools.map(({ name }: { readonly name: string }) => name)
  const ofRuns = house.describeTools().filter(({ family }) => family === 'runs')
  assert.deepEqual(names, [...ofRuns.map(({ name }) => name), 'confirm_plan'].toSorted())
  assert.equal((await call('whoami')).body.error.message, 'Unknown tool: whoami')
  assert.equal((await call('list_runs')).body.result.isError, false)
  const { text } = await kit.metrics.render()
  assert.match(text, /signalbox_tool_calls_total\{tool="list_runs",outcome="answered"\} 1/)

  // Nothing can be read of the grants, and what was read is too old.
  await sql`alter table access_revision rename to lost_revision`.execute(db)
  await clock.advance(3_600_000)
  const blind = await send('{')
  assert.deepEqual([blind.status, blind.body.code], [503, 'authorization_unavailable'])
})
