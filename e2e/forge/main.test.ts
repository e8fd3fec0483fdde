import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { signJwt } from './github/testing.ts'
import { ask, startReceiver } from './testing.ts'

const run = promisify(execFile)

/** The program that the demo starts, told what to do by another process. */
describe('node e2e/forge/main.ts', () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--repository', 'acme/shop'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-forge-test-'))
  let said: ReturnType<typeof JSON.parse>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let installationToken: string

  before(async () => {
    receiver = await startReceiver()
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    said = JSON.parse(line)
  })
  after(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    receiver.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function control(line: string, body?: unknown) {
    const [method, path] = line.split(' ')
    const answer = await ask(`${method} ${said.control_url}${path}`, body === undefined ? {} : { body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  const git = (cwd: string, ...words: readonly string[]) =>
    run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
    })

  test('registers and installs an app as a person does', async () => {
    const manifest = {
      name: 'Signalbox',
      url: 'https://signalbox.example',
      redirect_url: 'https://signalbox.example/back',
      setup_url: 'https://signalbox.example/installed',
      hook_attributes: { url: receiver.url },
      default_permissions: { contents: 'read', checks: 'write', pull_requests: 'write' },
      default_events: ['push', 'check_run', 'issue_comment', 'pull_request'],
    }
    const formUrl = `${said.url}/organizations/acme/settings/apps/new?state=one`
    const { location } = await control('POST /registrations', { form_url: formUrl, manifest })
    const code = new URL(location).searchParams.get('code')
    const { body: app } = await ask(`POST ${said.api_url}/app-manifests/${code}/conversions`)
    const installUrl = `${app.html_url}/installations/new?state=two`
    const shown = await fetch(installUrl)
    assert.match(await shown.text(), /<button type="submit" name="do" value="install">/)
    const asked = await control('POST /installations', { install_url: installUrl, account: 'acme', do: 'request' })
    assert.match(asked.location, /\/installed\?setup_action=request&state=two$/)
    const choice = { install_url: installUrl, account: 'acme', repositories: ['shop'] }
    const led = new URL((await control('POST /installations', choice)).location)
    assert.deepEqual([led.searchParams.get('setup_action'), led.searchParams.get('state')], ['install', 'two'])
    const line = `POST ${said.api_url}/app/installations/${led.searchParams.get('installation_id')}/access_tokens`
    const { body } = await ask(line, { token: signJwt(app.pem, app.id) })
    installationToken = body.token
    await control('POST /settle', {})
    assert.equal(receiver.arrived.at(-1)?.headers['x-github-event'], 'installation')
  })

  test('serves Git to a token, and refuses it a push that its permissions lack', async () => {
    const { host } = new URL(said.url)
    const address = (password: string) => `http://x-access-token:${password}@${host}/acme/shop.git`
    await git(folder, 'clone', '--quiet', address(installationToken), 'read')
    assert.equal(readFileSync(join(folder, 'read/README.md'), 'utf8'), '# acme/shop\n')
    await assert.rejects(git(folder, 'clone', address('ghs_wrong'), 'none'), /Authentication failed|could not read/)
    await assert.rejects(git(join(folder, 'read'), 'push', '--quiet', 'origin', 'main:topic'), /403/)

    await git(folder, 'clone', '--quiet', address(said.token), 'write')
    writeFileSync(join(folder, 'write/a.txt'), 'a\n')
    await git(join(folder, 'write'), 'add', '-A')
    await git(join(folder, 'write'), 'commit', '--quiet', '-m', 'by hand')
    await git(join(folder, 'write'), 'push', '--quiet', 'origin', 'main:topic')
    await control('POST /settle', {})
    const { payload } = receiver.arrived.at(-1) ?? {}
    assert.deepEqual(
      [payload.ref, payload.created, payload.sender.login, payload.head_commit.added],
      ['refs/heads/topic', true, 'ada', ['a.txt']],
    )
  })

  test('pushes, opens a pull request, comments, presses "Re-run", and tells what it was told', async () => {
    const repository = 'acme/shop'
    const files = { 'src/a.ts': 'a\n' }
    const { after: sha } = await control('POST /pushes', { repository, ref: 'refs/heads/topic', files, by: 'ada' })
    const pull = await control('POST /pulls', { repository, head: 'topic', by: 'ada' })
    assert.equal(pull.head_sha, sha)
    const check = { name: 'signalbox', head_sha: sha, external_id: 'run-1' }
    const line = `POST ${said.api_url}/repos/acme/shop/check-runs`
    const { body: made } = await ask(line, { token: installationToken, body: check })
    await control('POST /comments', { repository, number: pull.number, by: 'ada', body: '/rerun failed' })
    await control('POST /rerequests', { repository, check_run_id: made.id, by: 'ada' })
    await control('POST /settle', {})
    assert.deepEqual(
      receiver.arrived.slice(-3).map(({ payload }) => payload.action),
      ['created', 'created', 'rerequested'],
    )
    const [shown] = await control(`GET /checks?repository=${repository}`)
    assert.deepEqual([shown.external_id, shown.status], ['run-1', 'queued'])
    assert.equal((await control(`GET /comments?repository=${repository}`))[0].body, '/rerun failed')
    assert.deepEqual(await control('GET /unexpected'), [])
    const fault = { kind: 'rate_limit', status: 429, retry_after_s: 3 }
    await control('POST /faults', { pattern: 'GET /repos/**', fault, times: 1 })
    assert.equal((await ask(`GET ${said.api_url}/repos/acme/shop`, { token: installationToken })).status, 429)
  })

  test('takes a pull request of a fork', async () => {
    await control('POST /repositories', { full_name: 'grace/shop', fork_of: 'acme/shop' })
    await control('POST /pushes', { repository: 'grace/shop', ref: 'refs/heads/fix', files: { 'b.ts': 'b\n' } })
    const { number, head_sha: sha } = await control('POST /pulls', {
      repository: 'acme/shop',
      from: 'grace/shop',
      head: 'fix',
      by: 'grace',
    })
    const line = `GET ${said.api_url}/repos/acme/shop/pulls/${number}`
    const { body } = await ask(line, { token: installationToken })
    assert.deepEqual([body.head.sha, body.head.repo.full_name, body.head.repo.fork], [sha, 'grace/shop', true])
    const { body: listed } = await ask(`${line}/files`, { token: installationToken })
    assert.deepEqual(
      listed.map((file: { filename: string }) => file.filename),
      ['b.ts'],
    )
    // The commit of a fork is found in the base.
    const url = `http://x-access-token:${installationToken}@${new URL(said.url).host}/acme/shop.git`
    const { stdout } = await git(folder, 'ls-remote', url, `refs/pull/${number}/head`)
    assert.match(stdout, new RegExp(`^${sha}`))
  })
})
