import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { forgejo } from '../../../server/src/adapters/forges/forgejo/index.ts'
import { gitea } from '../../../server/src/adapters/forges/gitea/index.ts'
import { gitlab } from '../../../server/src/adapters/forges/gitlab/index.ts'
import { type Asked, ask, startReceiver } from '../testing.ts'
import { type ConnectedForge, startConnected } from './index.ts'

const REPOSITORY = 'acme/shop'

for (const product of [gitea, forgejo, gitlab] as const) {
  const id = product === gitlab ? 'gitlab' : product === gitea ? 'gitea' : 'forgejo'

  /** The product's own client and reader understand it, and it refuses what the provider refuses. */
  describe(`the fake ${product.title}`, () => {
    const isGitlab = id === 'gitlab'
    const project = isGitlab ? `/api/v4/projects/${encodeURIComponent(REPOSITORY)}` : `/api/v1/repos/${REPOSITORY}`
    let forge: ConnectedForge
    let receiver: Awaited<ReturnType<typeof startReceiver>>
    let token: string
    let sha: string

    before(async () => {
      receiver = await startReceiver()
      forge = await startConnected(id)
      await forge.addRepository(REPOSITORY, { files: { 'README.md': 'a shop\n' } })
      for (let at = 1; at <= 120; at += 1) await forge.addRepository(`acme/part-${at}`, { branches: ['main'] })
      for (const name of forge.world.byName.keys()) forge.permit(name, 'bot', 'admin')
      forge.permit(REPOSITORY, 'grace', 'write')
      token = forge.addToken('bot')
      sha = (await forge.push(REPOSITORY, { ref: 'refs/heads/topic', files: { 'a.ts': 'a\n' } })).after
    })
    after(async () => {
      await forge.close()
      receiver.close()
    })

    const say = (line: string, asked: Asked = {}) => {
      const [method, path] = line.split(' ')
      return ask(`${method} ${forge.url}${path}`, { token, ...asked })
    }
    const connection = () => ({ baseUrl: forge.url, token, signal: AbortSignal.timeout(60_000) })

    test('shows the account, its organisation and all repositories to the product', async () => {
      const app = { appId: 'bot', privateKeys: [], token }
      const as = { baseUrl: forge.url, app, now: Date.now(), signal: AbortSignal.timeout(60_000) }
      const found = await product.apps?.find(as)
      assert.equal(found?.outcome === 'found' && found.value.appId, 'bot', JSON.stringify(found))
      const installed = await product.apps?.listInstallations(as)
      assert.ok(installed?.outcome === 'found' && installed.value.some(({ account }) => account === 'acme'))
      const wish = { installationId: 'acme', token, known: [] }
      const listed = await product.apps?.listRepositories(as, wish)
      assert.equal(listed?.outcome === 'found' && listed.value.repositories.length, 121, JSON.stringify(listed))
      const branches = await product.repositories?.listBranches(connection(), REPOSITORY)
      assert.deepEqual(branches?.outcome === 'found' && branches.value.map(({ name }) => name).toSorted(), [
        'main',
        'topic',
      ])
    })

    test('takes statuses, comments and reactions of the product, and tells a permission', async () => {
      const pull = await forge.openPull(REPOSITORY, { head: 'topic', by: 'grace' })
      const place = { repository: REPOSITORY, number: pull.number }
      const status = { repository: REPOSITORY, commitSha: sha, ref: 'refs/heads/topic', context: 'signalbox' } as const
      const more = { description: 'It runs.', targetUrl: 'https://a.example/' } as const
      for (const state of ['pending', 'running', 'success'] as const) {
        const reported = await product.status?.report(connection(), { ...status, ...more, state })
        assert.equal(reported?.outcome, 'found', JSON.stringify(reported))
      }
      const { statuses } = forge.world.byName.get(REPOSITORY) ?? {}
      assert.equal(statuses?.at(-1)?.state, 'success')
      const made = await product.comments?.create(connection(), place, 'hello <!-- mark -->')
      assert.ok(made?.outcome === 'found')
      await product.comments?.update(connection(), place, made.value, 'again <!-- mark -->')
      const marked = await product.comments?.findByMarker(connection(), place, '<!-- mark -->')
      assert.equal(marked?.outcome === 'found' && marked.value.commentId, made.value)
      const reacted = await product.comments?.react?.(connection(), place, made.value, 'seen')
      assert.equal(reacted?.outcome, 'found', JSON.stringify(reacted))
      const found = await product.repositories?.findPullRequest(connection(), REPOSITORY, pull.number)
      assert.equal(found?.outcome === 'found' && found.value.headSha, pull.headSha)
      const open = await product.repositories?.listOpenPulls(connection(), REPOSITORY)
      const told = open?.outcome === 'found' ? open.value.map(({ pullRequest }) => pullRequest) : []
      const heads = told.map(({ number, head, from_fork }) => [number, head.sha, head.ref, from_fork])
      assert.deepEqual(heads, [[pull.number, pull.headSha, 'topic', false]], JSON.stringify(open))
      const person = { id: String(forge.addPerson('grace').id), login: 'grace', name: null, email: null, bot: null }
      const permission = await product.repositories?.findPermission?.(connection(), REPOSITORY, person)
      assert.equal(permission?.outcome === 'found' && permission.value.mayWrite, true, JSON.stringify(permission))
      forge.assertQuiet()
    })

    test('sends proven deliveries that the product reads', async () => {
      const secret = isGitlab ? `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}` : 'a secret'
      const wanted = { repository: REPOSITORY, url: receiver.url, authMode: 'signature', secret, holder: null } as const
      const placed = await product.hooks?.place(connection(), { ...wanted, isOwn: (url) => url === receiver.url })
      assert.equal(placed?.outcome, 'found', JSON.stringify(placed))
      await forge.push(REPOSITORY, { ref: 'refs/heads/other', files: { 'b.ts': 'b\n' }, by: 'grace' })
      const pull = await forge.openPull(REPOSITORY, { head: 'other', by: 'grace' })
      await forge.push(REPOSITORY, { ref: 'refs/heads/other', files: { 'b.ts': 'c\n' }, by: 'grace' })
      forge.comment(REPOSITORY, pull.number, 'grace', '/rerun')
      forge.closePull(REPOSITORY, pull.number, true)
      await forge.mailbox.settle()
      const kinds = receiver.arrived.map(({ headers, raw }) => {
        const proof = { secrets: [Buffer.from(secret)], authMode: 'signature', receivedAt: new Date() } as const
        assert.equal(product.webhooks.verify({ headers, rawBody: raw, ...proof }).outcome, 'verified')
        const reading = product.webhooks.read(headers, raw)
        assert.equal(reading.kind, 'events', JSON.stringify(reading))
        const event = reading.kind === 'events' ? reading.events[0] : undefined
        assert.equal(event?.repository?.full_name, REPOSITORY)
        return [event?.kind, event?.action].join(' ').trim()
      })
      assert.deepEqual(kinds, [
        'push created',
        'pull_request opened',
        'push updated',
        'pull_request synchronized',
        'pull_request_comment created',
        'pull_request merged',
      ])
    })

    test('lists pull requests that changed at one time as they were opened', async () => {
      const twins = 'acme/twins'
      await forge.addRepository(twins, { files: { 'README.md': 'two\n' } })
      forge.permit(twins, 'bot', 'admin')
      forge.permit(twins, 'grace', 'write')
      const numbers: number[] = []
      for (const head of ['one', 'two', 'three']) {
        await forge.push(twins, { ref: `refs/heads/${head}`, files: { [head]: head } })
        const pull = await forge.openPull(twins, { head, by: 'grace' })
        pull.updatedAt = '2026-11-28T10:00:00Z'
        numbers.push(pull.number)
      }
      const open = await product.repositories?.listOpenPulls(connection(), twins)
      const told = open?.outcome === 'found' ? open.value.map(({ pullRequest }) => pullRequest.number) : []
      assert.deepEqual(told, numbers)
    })

    test('refuses strangers, narrow tokens, ended tokens, and those whose role is too small', async () => {
      const branches = `GET ${project}/${isGitlab ? 'repository/' : ''}branches`
      assert.equal((await say(branches, { token: 'wrong' })).status, 401)
      assert.equal((await say(branches, { token: forge.addToken('stranger') })).status, 404)
      const short = forge.addToken('bot', undefined, 1000)
      assert.equal((await say(branches, { token: short })).status, 200)
      forge.clock.advance(2000)
      const late = await say(branches, { token: short })
      forge.clock.advance(-2000)
      assert.equal(late.status, 401)
      const reader = forge.addToken('bot', isGitlab ? ['read_api'] : ['read:repository'])
      const body = { state: 'success', context: 'x', name: 'x' }
      const status = `POST ${project}/statuses/${sha}`
      assert.equal((await say(status, { token: reader, body })).status, 403)
      forge.permit(REPOSITORY, 'reader', 'read')
      assert.equal((await say(status, { token: forge.addToken('reader'), body })).status, 403)
      assert.equal((await say(status, { body })).status, 201)
      assert.equal((await say(status, { body: { ...body, state: 'odd' } })).status, isGitlab ? 400 : 422)
      forge.faults.set(branches.replace(/\/api\/v\d/, ''), { kind: 'rate_limit', status: 429, retryAfterS: 5 }, 1)
      assert.equal((await say(branches)).status, 429)
      assert.equal((await say(`GET ${project}/unknown`)).status, 404)
      assert.throws(() => forge.assertQuiet(), /unknown: the forge has no such operation/)
    })
  })
}

describe('the fake GitLab', () => {
  test('keeps a log of a webhook, sends an event again, and takes no state twice', async () => {
    const receiver = await startReceiver()
    const forge = await startConnected('gitlab')
    await forge.addRepository(REPOSITORY, { branches: ['main'] })
    forge.permit(REPOSITORY, 'bot', 'admin')
    const token = forge.addToken('bot')
    const project = `${forge.url}/api/v4/projects/${encodeURIComponent(REPOSITORY)}`
    const body = { url: receiver.url, push_events: true, token: 'shared' }
    const { body: hook } = await ask(`POST ${project}/hooks`, { token, body })
    receiver.answerWith(500)
    const { after: sha } = await forge.push(REPOSITORY)
    await forge.mailbox.settle()
    assert.equal(receiver.arrived[0]?.headers['x-gitlab-token'], 'shared')
    const signal = AbortSignal.timeout(60_000)
    const log = { repository: REPOSITORY, hookId: String(hook.id) }
    const connection = { baseUrl: forge.url, token, signal }
    const listed = await gitlab.deliveries?.ofHook?.list(connection, log, null)
    const [entry] = listed?.outcome === 'found' ? listed.value.deliveries : []
    assert.deepEqual([entry?.status, entry?.eventType], [500, 'push'])
    await gitlab.deliveries?.ofHook?.sendAgain(connection, log, entry?.attemptId ?? '')
    await forge.mailbox.settle()
    assert.equal(receiver.arrived[1]?.headers['webhook-id'], receiver.arrived[0]?.headers['webhook-id'])
    const status = { token, body: { state: 'running', name: 'signalbox' } }
    assert.equal((await ask(`POST ${project}/statuses/${sha}`, status)).status, 201)
    const twice = await ask(`POST ${project}/statuses/${sha}`, status)
    assert.equal(twice.status, 400)
    assert.match(twice.body.message, /^Cannot transition status/)
    await forge.close()
    receiver.close()
  })
})
