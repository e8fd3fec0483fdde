import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { aConnectedSource, deliver, SECRET, TEAM } from '../sources/testing.ts'
import { openRecovery } from './testing/open-recovery.ts'

/** The logs of webhooks of repositories, which the service made. */

const TOKEN = 'a-token-of-webhooks'
const house = await openRecovery()
const { causes, clock, github, look, sent } = house
const db = causes.kit.database.kysely
after(() => house.close())
afterEach(async () => {
  await house.forget()
  await db.deleteFrom('source_connections').execute()
  await db.deleteFrom('recovery_heads').execute()
})

let source: { readonly id: string; readonly url: string }
let PATH = ''
before(async () => {
  await aSecret(causes.kit, db, { teamPath: TEAM, name: 'hooks', value: TOKEN })
  source = await aConnectedSource(
    causes,
    { name: 'hooked', base_url: github.url, checkout_credential_ref: `secret:${TEAM}/hooks` },
    { name: 'hooked', repositories: ['acme/*'] },
  )
  PATH = `/v1/git-webhook-sources/${source.id}`
})

/** The service made the webhook of this repository, or mended it last. */
async function connect(repository: string, hookId: string, sourceId = source.id): Promise<void> {
  await db
    .insertInto('source_connections')
    .values({
      source_id: sourceId,
      repository_key: repository.toLowerCase(),
      repository,
      hook_id: hookId,
      connected_at: clock.now(),
      checked_at: clock.now(),
      differences: [],
    })
    .execute()
}

const lost = (repository: string, hookId: string) =>
  sent({ repository, hook: `repos/${repository}/hooks/${hookId}`, to: source.url })
const listed = () => house.list(`${PATH}/recoveries?limit=100`)
const standing = () => house.get(`${PATH}/recovery`)

describe('webhooks that the service made', () => {
  test('each has a log of its own, and what is missing in it comes back once, with the token of the source', async () => {
    await connect('acme/Widgets', '7')
    await connect('acme/tools', '8')
    lost('acme/Widgets', '7')
    lost('acme/tools', '8')
    lost('acme/tools', '8')
    await look()
    await look()
    await look()
    assert.deepEqual((await listed()).map(({ state, repository, tries }) => [state, repository, tries]).toSorted(), [
      ['recovered', 'acme/tools', 1],
      ['recovered', 'acme/tools', 1],
      ['recovered', 'acme/widgets', 1],
    ])
    assert.equal(github.asked.length, 3)
    assert.ok(github.tokens.includes(`Bearer ${TOKEN}`))
    const deliveries = await house.list(`${PATH}/deliveries`)
    assert.deepEqual(
      deliveries.map(({ recovered }) => recovered),
      [true, true, true],
    )
    assert.partialDeepStrictEqual(await standing(), { gap: null, missing: 0, recovered_7_days: 3, reason: null })
  })

  test('what was lost before one was mended comes back all the same', async () => {
    lost('acme/widgets', '7')
    await clock.advance(60_000)
    await connect('acme/widgets', '7')
    await look()
    assert.equal(github.asked.length, 1)
  })

  test('one whose provider refuses delays none, and says why', async () => {
    await connect('acme/tools', '8')
    await connect('acme/widgets', '7')
    lost('acme/widgets', '7')
    github.refusing = 'repos/acme/tools/hooks/8'
    await look()
    assert.deepEqual(github.asked.length, 1)
    const { reason, gap } = await standing()
    assert.match(String(reason), /refused the credential \(403\)/)
    assert.notEqual(gap, null)
  })

  test('one of a repository that the source does not admit any more is not read', async () => {
    await connect('elsewhere/widgets', '7')
    lost('elsewhere/widgets', '7')
    await look()
    assert.deepEqual(github.read, ['app/hook'])
  })
})

describe('heads are compared', () => {
  const compare = () => house.run('recovery.compare-heads')
  // This GitHub shows no heads: whoever asks for them hears that there is no such repository.
  const reason = async (id: string) => String((await house.get(`/v1/git-webhook-sources/${id}/recovery`))['reason'])
  const tell = async (url: string, repository: string) => {
    const push = signPush({ secret: SECRET, repository: { full_name: repository }, deliveryId: randomUUID() })
    assert.ok((await deliver(causes, url, push)).status < 300)
  }

  test('of a webhook that somebody made by hand, and not where the service made it, or an app has it', async () => {
    await tell(source.url, 'acme/by-hand')
    await tell(house.source.url, 'acme/of-the-app')
    await connect('acme/logged', '9')
    await tell(source.url, 'acme/logged')
    await compare()
    assert.match(await reason(source.id), /does not have acme\/by-hand,/)
    const asked = await db.selectFrom('recovery_heads').select('repository').where('reason', 'is not', null).execute()
    const names = new Set(asked.map(({ repository }) => repository))
    const told = ['acme/by-hand', 'acme/logged', 'acme/of-the-app']
    assert.deepEqual(
      told.filter((name) => names.has(name)),
      ['acme/by-hand'],
    )
    assert.equal(await reason(house.source.id), 'null')
  })
})

describe('no log is read', () => {
  test('without a credential of its own: a token of an app shows no webhooks of repositories', async () => {
    await connect('acme/widgets', '7')
    const set = (ref: string | null) =>
      db.updateTable('webhook_sources').set({ checkout_credential_ref: ref }).where('id', '=', source.id).execute()
    for (const ref of ['app:github', null]) {
      await set(ref)
      await look()
      assert.deepEqual(github.read, ['app/hook'])
      github.forget()
      // The tokens of an app show heads.
      assert.match(String((await standing())['reason']), ref === null ? /no log to read/ : /^null$/)
    }
    await set(`secret:${TEAM}/hooks`)
    assert.equal((await standing())['reason'], null)
  })

  test('of a provider that is not allowed any more', async () => {
    await connect('acme/widgets', '7')
    await db
      .updateTable('webhook_sources')
      .set({ base_url: 'https://evil.example' })
      .where('id', '=', source.id)
      .execute()
    await look()
    assert.deepEqual(github.read, ['app/hook'])
    await db.updateTable('webhook_sources').set({ base_url: github.url }).where('id', '=', source.id).execute()
  })
})
