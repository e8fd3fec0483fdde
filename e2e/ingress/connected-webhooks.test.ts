import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type Ended, runCli } from '../house/cli.ts'
import { type House, startHouse } from '../house/house.ts'
import { makeTeam, REPOSITORY, type Team } from '../house/team.ts'
import { startWebhookProvider, type WebhookProvider } from '../house/webhook-provider.ts'

/** The command line, a control plane and a provider's API, each over HTTP. */

describe('signalbox source connect', () => {
  const ends = new AsyncDisposableStack()
  let house: House
  let provider: WebhookProvider
  let team: Team
  let made = 0

  before(async () => {
    const ports = { port: await freePort(), runnerPort: await freePort() }
    house = await startHouse({ ports, env: { BASE_URL: `http://127.0.0.1:${ports.port}` } })
    ends.defer(() => house.stop())
  })
  after(() => ends.disposeAsync())
  beforeEach(async () => {
    made += 1
    provider = await startWebhookProvider(REPOSITORY)
    const { close } = provider
    ends.defer(close)
    team = await makeTeam(house.api, `connect${made}`)
    await house.api.send('POST', '/v1/secrets', { team_path: team.path, name: 'hooks', value: provider.token })
    await house.api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, {
      base_url: provider.url,
      checkout_credential_ref: `secret:${team.path}/hooks`,
    })
  })

  const source = (...words: readonly string[]): Promise<Ended> => runCli(house.api, ['source', ...words])
  const connect = (...words: readonly string[]) => source('connect', team.sourceId, REPOSITORY, ...words)

  test('makes the webhook, which its first delivery proves; repairs what was changed; and disconnect removes it', async () => {
    const connected = await connect()
    assert.equal(connected.exit, 0, connected.output)
    assert.match(connected.output, /^The webhook of acme\/shop is created\.$/m)
    assert.match(connected.output, /^state\tactive$/m)
    const [hook] = provider.hooks
    assert.ok(hook)
    assert.equal(hook.config['url'], `${house.url}/v1/git/webhooks/${team.sourceId}`)
    assert.equal(hook.config['secret'], team.webhookSecret)
    // A ping starts nothing, and is answered so.
    assert.deepEqual([...new Set(provider.pings)], [422])

    provider.change(hook.id, { active: false, events: ['push'] })
    const checked = await connect('--check')
    assert.equal(checked.exit, 7, checked.output)
    assert.match(checked.output, /it is disabled, it leaves out events/)
    const repaired = await connect()
    assert.equal(repaired.exit, 0, repaired.output)
    assert.match(repaired.output, /^The webhook of acme\/shop is repaired: disabled, events\.$/m)
    assert.match(repaired.output, /^state\tactive$/m)
    assert.deepEqual(
      provider.hooks.map(({ id, active, events }) => ({ id, active, events })),
      [{ id: hook.id, active: true, events: hook.events }],
    )

    const removed = await source('disconnect', team.sourceId, REPOSITORY)
    assert.deepEqual([removed.exit, removed.output], [0, 'The webhook of acme/shop is removed.\n'])
    assert.deepEqual(provider.hooks, [])
    const again = await source('disconnect', team.sourceId, REPOSITORY)
    assert.deepEqual([again.exit, again.output], [0, 'acme/shop had no webhook of this source.\n'])
  })

  test('makes it anew where a person deleted it', async () => {
    await connect()
    const [first] = provider.hooks
    assert.ok(first)
    provider.forget(first.id)
    const checked = await connect('--check')
    assert.equal(checked.exit, 7, checked.output)
    const anew = await connect()
    assert.match(anew.output, /^The webhook of acme\/shop is created\.$/m)
    assert.match(anew.output, /^state\tactive$/m)
    assert.notEqual(provider.hooks[0]?.id, first.id)
  })

  test('two at once make one webhook, and each is told the truth', async () => {
    const { waiting, release } = provider.hold()
    const first = connect()
    await waiting
    const second = await connect()
    assert.notEqual(second.exit, 0, second.output)
    assert.match(second.output, /Another request is connecting acme\/shop at this moment; ask again in a few seconds\./)
    release()
    const { exit, output } = await first
    assert.equal(exit, 0, output)
    assert.match(output, /is created\./)
    assert.match(output, /^state\tactive$/m)
    const third = await connect()
    assert.match(third.output, /^The webhook of acme\/shop is as it must be\.$/m)
    assert.equal(provider.hooks.length, 1)
    assert.equal(provider.calls.filter((call) => call === `POST /api/v3/repos/${REPOSITORY}/hooks`).length, 1)
  })

  test('two that nobody orders make one webhook too', async () => {
    const both = await Promise.all([connect(), connect()])
    const truths = /is created\.|is as it must be\.|Another request is connecting acme\/shop at this moment/
    for (const { output } of both) assert.match(output, truths)
    assert.equal(both.filter(({ output }) => output.includes('is created.')).length, 1)
    assert.equal(provider.hooks.length, 1)
  })

  const PAGE = '<html><body>token=hunter2 '.padEnd(2000, '.')
  for (const [what, answered, sentence] of [
    [
      'refuses the credential',
      { status: 403, body: '{"message":"Resource not accessible"}' },
      /The provider refused the credential \(403\)\. The credential needs .*admin:repo_hook/,
    ],
    [
      'limits the rate',
      { status: 429, headers: { 'retry-after': '37' }, body: PAGE },
      /The provider limits the rate of calls; ask again in 37 s\./,
    ],
    ['answers a page', { status: 200, body: PAGE }, /The provider answered something that is not JSON\./],
    [
      'answers other JSON',
      { status: 200, body: '{"hooks":7}' },
      /The provider answered something that it does not document\./,
    ],
  ] as const) {
    test(`says in one sentence that the provider ${what}, and leaves nothing behind`, async () => {
      provider.answerAll(answered)
      const { exit, output } = await connect()
      assert.notEqual(exit, 0)
      assert.match(output, sentence)
      assert.ok(output.trimEnd().split('\n').length <= 2, output)
      assert.doesNotMatch(output, /hunter2|<html|    at /)
      assert.ok(!output.includes(provider.token), output)
      assert.deepEqual(await house.api.get(`/v1/git-webhook-sources/${team.sourceId}/connections`), [])
      provider.answerAll(undefined)
      assert.match((await connect()).output, /^state\tactive$/m)
    })
  }
})
