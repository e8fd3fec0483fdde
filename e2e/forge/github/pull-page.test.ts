import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ask, startReceiver } from '../testing.ts'
import { startWithApp } from './testing.ts'

describe('the page of a pull request', () => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let world: Awaited<ReturnType<typeof startWithApp>>
  let page: string

  before(async () => {
    receiver = await startReceiver()
    world = await startWithApp(receiver.url)
    const { forge } = world
    forge.permit('acme/shop', 'ada', 'write')
    await forge.push('acme/shop', { ref: 'refs/heads/topic', files: { 'a.txt': 'a\n' }, by: 'ada' })
    const { number } = await forge.openPull('acme/shop', { head: 'topic', title: 'A <b>', by: 'ada' })
    page = `${forge.url}/acme/shop/pull/${number}`
  })
  after(async () => {
    await world.forge.close()
    receiver.close()
  })

  const post = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${page}/comments`, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })
  const read = async (): Promise<string> => (await fetch(page)).text()

  test('shows checks with their marks, and comments, as text', async () => {
    const { forge, api, installation, jwt } = world
    const line = `POST ${api}/app/installations/${installation.id}/access_tokens`
    const { body: given } = await ask(line, { token: jwt() })
    const annotation = { path: 'a.txt', start_line: 1, end_line: 1, annotation_level: 'failure', message: 'no <i>' }
    const output = { title: 'It failed', summary: '| a |', annotations: [annotation] }
    const head = forge.world.byName.get('acme/shop')?.refs.get('refs/heads/topic')
    const check = { name: 'build', head_sha: head, conclusion: 'failure', details_url: 'https://ci.example/1', output }
    assert.equal((await ask(`POST ${api}/repos/acme/shop/check-runs`, { token: given.token, body: check })).status, 201)
    forge.comment('acme/shop', 1, 'grace', 'Look <script>')
    const html = await read()
    assert.match(html, /<h1>A &lt;b> #1<\/h1>/)
    assert.match(html, /<h3>build: failure<\/h3>\s*<p>It failed <a href="https:\/\/ci\.example\/1">Details<\/a><\/p>/)
    assert.match(html, /<li>a\.txt:1 failure: {2}no &lt;i><\/li>/)
    assert.match(html, /<h3>grace<\/h3>\s*<pre>Look &lt;script><\/pre>/)
    assert.equal(html.includes('<script>'), false)
  })

  test('takes a comment, and sends the webhook', async () => {
    const posted = await post({ by: 'ada', body: '/rerun failed' }, { 'sec-fetch-site': 'same-origin' })
    assert.deepEqual([posted.status, posted.headers.get('location')], [303, page])
    await world.forge.mailbox.settle()
    const { payload } = receiver.arrived.at(-1) ?? {}
    assert.deepEqual([payload.action, payload.comment.body, payload.sender.login], ['created', '/rerun failed', 'ada'])
    assert.match(await read(), /<h3>ada<\/h3>\s*<pre>\/rerun failed<\/pre>/)
  })

  test('takes none from another site, none without a text, and knows its own pull requests alone', async () => {
    const sent = receiver.arrived.length
    assert.equal((await post({ by: 'ada', body: '/rerun' }, { 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await post({ by: 'ada', body: '' })).status, 422)
    assert.equal((await fetch(`${world.forge.url}/acme/shop/pull/99`)).status, 404)
    await world.forge.mailbox.settle()
    assert.equal(receiver.arrived.length, sent)
    world.forge.assertQuiet()
  })
})
