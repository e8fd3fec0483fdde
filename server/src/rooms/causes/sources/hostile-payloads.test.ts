import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { FORGES } from '#adapters/forges'
import { createTestDatabase } from '#platform/testing'
import { changed, fixturesOf, places, proofOf, REMOVED } from '../../../adapters/forges/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, deliver, openCauses, TEAM } from './testing.ts'

/**
 * Payloads that no provider would send, but that a holder of the secret can. They are signed and delivered over HTTP,
 * through the forge, the triggers and the database. Each is answered with what the service promises, never with 500,
 * and none is lost.
 */

const SECRET = 'user:a secret of some length'
const PROMISED = [200, 202, 400, 403, 422]
const OTHERS = [REMOVED, null, [], {}, '', 0, -1, 1e300, true, '\0', '\ud800', 'a'.repeat(5_000)]
/** A part of each fixture: all would take minutes; the forges' own tests read them all. */
const PLACES = 3

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { PROVIDER_HOSTS: 'git.example.com' })
const db = testDatabase.database.kysely
await aSecret(causes.kit, db, { teamPath: TEAM, name: 'any', value: SECRET })
after(() => causes.close())

describe('a signed payload that no provider would send', () => {
  for (const [number, forge] of FORGES.entries()) {
    test(`is answered as promised and recorded: ${forge.title}`, async () => {
      const { id, url } = await aConnectedSource(
        causes,
        {
          name: forge.id,
          provider: forge.id,
          auth_mode: forge.webhooks.authModes[0],
          credential_ref: `secret:${TEAM}/any`,
          repository_allowlist: ['**'],
        },
        { name: `t${number}`, repositories: ['**'], branches: [], events: ['push', 'tag', 'pull_request'] },
      )
      const statuses = new Map<number, number>()
      let turn = 0
      const deliveries = fixturesOf(forge).flatMap(({ headers, payload }) => {
        const all = [...places(payload)]
        return all.slice(0, PLACES).map((_, at) => {
          turn += 1
          // Spread over the document, each time with another value: the same in each run.
          const path = all[(turn * 7 + at * Math.ceil(all.length / PLACES)) % all.length] ?? []
          const body = Buffer.from(JSON.stringify(changed(payload, path, OTHERS[turn % OTHERS.length])))
          return { path, headers: plain(headers), body }
        })
      })
      await eightAtATime(deliveries, async ({ path, headers, body }) => {
        const proof = proofOf(forge, body, SECRET)
        const called = await deliver(causes, url, {
          headers: { 'content-type': 'application/json', ...headers, ...proof },
          body,
        })
        statuses.set(called.status, (statuses.get(called.status) ?? 0) + 1)
        assert.ok(PROMISED.includes(called.status), `${path.join('.')}: ${called.status} ${called.text}`)
      })
      const { count } = await db
        .selectFrom('deliveries')
        .select((is) => is.fn.countAll<number>().as('count'))
        .where('source_id', '=', id)
        .where('verification', '=', 'verified')
        .executeTakeFirstOrThrow()
      assert.equal(count, deliveries.length)
      assert.ok((statuses.get(202) ?? 0) > 0, JSON.stringify([...statuses]))
    })
  }
})

async function eightAtATime<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

function plain(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

test('a key twice is read where both values are equal, with a note in the trace, and refused where they differ', async () => {
  const forge = FORGES.find(({ id }) => id === 'github')
  assert.ok(forge)
  const source = { name: 'twice', auth_mode: 'signature', credential_ref: `secret:${TEAM}/any` }
  const { id, url } = await aConnectedSource(causes, source, { name: 'twice' })
  const push = fixturesOf(forge).find(({ name }) => name === 'push-branch')
  const text = JSON.stringify(push?.payload)
  for (const [ref, status] of [
    [Object(push?.payload).ref, 202],
    ['refs/heads/other', 400],
  ] as const) {
    const body = Buffer.from(text.replace(/^\{/, `{"ref":${JSON.stringify(ref)},`))
    const headers = { 'content-type': 'application/json', 'x-github-event': 'push', ...proofOf(forge, body, SECRET) }
    const answer = await deliver(causes, url, { headers, body })
    assert.ok(answer.status === status || (status === 202 && answer.status === 200), answer.text)
    const record = await db
      .selectFrom('deliveries')
      .select(['reason', 'trace'])
      .where('source_id', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    if (status === 400) assert.match(record.reason, /the same key twice, with two values/)
    else assert.match(Object(record.trace).verification, /matches.*The body holds a key twice with one value/)
  }
})
