import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const S1 = '01a200e0-77a3-7000-a92b-1507a62890ce'
const PATH = `/v1/git-webhook-sources/${S1}/connections`

const PENDING = {
  source_id: S1,
  repository: 'acme/shop',
  hook_id: '7',
  state: 'pending',
  reason: 'No delivery has proved the webhook yet.',
  differences: [],
  connected_at: '2026-11-23T08:00:00.000Z',
  checked_at: '2026-11-23T08:00:00.000Z',
  first_delivery_at: null,
}
const ACTIVE = { ...PENDING, state: 'active', reason: 'A delivery has proved the webhook.' }
const CREATED = { ...PENDING, done: 'created', repaired: [] }

/** Answers the POST with the one, and each GET with the next of the others. */
function api(posted: unknown, ...listed: unknown[]): Handler {
  return ({ method }, response) => answer(response, 200, method === 'POST' ? posted : [listed.shift() ?? PENDING])
}

describe('source connect', () => {
  test('makes the webhook and waits until a delivery has proved it', async () => {
    await using here = await stage(api(CREATED, PENDING, ACTIVE))
    const { code, out, err } = await here.run(['source', 'connect', S1, 'acme/shop'])
    assert.equal(code, 0)
    assert.match(err, /^The webhook of acme\/shop is created\.$/m)
    assert.match(out, /^state\tactive$/m)
    assert.deepEqual(
      here.api.seen.map(({ method, path }) => `${method} ${path}`),
      [`POST ${PATH}`, `GET ${PATH}`, `GET ${PATH}`],
    )
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { repository: 'acme/shop' })
  })

  test('ends well where no delivery came in time, and says what to do', async () => {
    await using here = await stage(api(CREATED))
    const { code, out } = await here.run(['source', 'connect', S1, 'acme/shop', '--wait', '0'])
    assert.equal(code, 0)
    assert.match(out, /^state\tpending$/m)
    assert.match(out, /No delivery has proved/)
    assert.equal(here.api.seen.length, 1)
  })

  test('sends a token from the standard input, and shows it nowhere', async () => {
    await using here = await stage(api({ ...CREATED, ...ACTIVE, done: 'repaired', repaired: ['disabled', 'events'] }))
    const args = ['source', 'connect', S1, 'acme/shop', '--token-stdin']
    const { out, err } = await here.run(args, { stdin: 'a-token\n' })
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { repository: 'acme/shop', token: 'a-token' })
    assert.match(err, /is repaired: disabled, events\./)
    assert.doesNotMatch(out + err, /a-token/)
    const empty = await here.run(args)
    assert.equal(empty.code, 2)
    assert.match(empty.err, /--token-stdin reads the token/)
  })

  test('--check asks only, and ends with 7 where something must be repaired', async () => {
    await using here = await stage(
      api({ ...PENDING, state: 'broken', reason: 'It is disabled.', differences: ['disabled'] }),
    )
    const { code, out } = await here.run(['source', 'connect', S1, 'acme/shop', '--check'])
    assert.equal(code, 7)
    assert.match(out, /^state\tbroken$/m)
    assert.deepEqual(
      here.api.seen.map(({ method, path }) => `${method} ${path}`),
      [`POST ${PATH}/check`],
    )
  })

  const source =
    (allowlist: readonly string[]): Handler =>
    ({ method }, response) =>
      answer(
        response,
        200,
        method === 'POST' ? { ...CREATED, ...ACTIVE } : { ...SOURCE, repository_allowlist: allowlist },
      )
  const SOURCE = {
    id: S1,
    name: 'shop',
    provider: 'github',
    team_path: 'acme',
    enabled: true,
    payload_url: null,
    credential_ref: 'secret:acme/hook',
    connected_trigger_count: 0,
    notes: [],
  }

  test('needs no repository where the source admits one only', async () => {
    await using one = await stage(source(['acme/shop']))
    assert.equal((await one.run(['source', 'connect', S1])).code, 0)
    assert.equal(JSON.parse(one.api.seen[1]?.body ?? '').repository, 'acme/shop')
    await using many = await stage(source(['acme/*']))
    const { code, err } = await many.run(['source', 'connect', S1])
    assert.equal(code, 2)
    assert.match(err, /admits more than one repository/)
  })
})

describe('source disconnect and connections', () => {
  test('say what became of the webhooks, and which there are', async () => {
    await using here = await stage(({ method }, response) =>
      answer(response, 200, method === 'POST' ? { repository: 'acme/shop', removed: 1 } : [ACTIVE]),
    )
    assert.match((await here.run(['source', 'disconnect', S1, 'acme/shop'])).err, /acme\/shop is removed\./)
    assert.equal(here.api.seen[0]?.path, `${PATH}/disconnect`)
    assert.match((await here.run(['source', 'connections', S1])).out, /^acme\/shop\tactive\t7\t/m)
  })
})
