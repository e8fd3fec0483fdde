import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openInBrowser } from '../processes/open-browser.ts'
import { run } from '../run.ts'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'
import { makeTestFolder, type TestFolder } from '../testing/test-surroundings.ts'

const FORM = 'https://ci.example.com/v1/git-apps/forge/register/form?state=s1'
const LATER = '2126-11-28T08:10:00.000Z'
const BEGUN = {
  url: 'https://github.com/organizations/acme/settings/apps/new',
  state: 's1',
  manifest: { name: 'Signalbox acme' },
  form_url: FORM,
  expires_at: LATER,
}
const INSTALLATION = {
  provider: 'github',
  installation_id: '41',
  account: 'acme',
  status: 'active',
  reason: null,
  repository_selection: 'all',
  repository_count: 3,
  permissions: {},
  missing_permissions: [],
  teams: [],
  html_url: null,
  last_verified_at: '2026-11-28T08:00:00.000Z',
  refreshed_at: '2026-11-28T08:00:00.000Z',
}

const REGISTERED = { status: 'registered', error: null, started_at: LATER, ended_at: LATER }
const WAITING = { ...REGISTERED, status: 'waiting', ended_at: null }

/** Answers each POST with the one, and each GET with the next of the others; the last one stays. */
function api(begun: unknown, ...looks: readonly unknown[]): Handler {
  const left = [...looks]
  return ({ method }, response) => {
    if (method === 'POST') return answer(response, 200, begun)
    return answer(response, 200, left.length > 1 ? left.shift() : left[0])
  }
}

describe('git-app register', () => {
  test('prints the address and waits until the app is there', async () => {
    await using here = await stage(
      api(BEGUN, WAITING, REGISTERED, { provider: 'github', app_id: '7', name: 'Signalbox acme' }),
    )
    const args = ['--organization', 'acme', '--callback-url', 'https://ci.example.com', '-t', 'acme', '--no-open']
    const { code, out, err } = await here.run(['git-app', 'register', ...args])
    assert.equal(code, 0)
    assert.equal(out, `${FORM}\n`)
    assert.match(err, /The app Signalbox acme is registered\./)
    assert.deepEqual(
      here.api.seen.map(({ method, path }) => `${method} ${path}`),
      [
        'POST /v1/git-apps/forge/register/start',
        'GET /v1/git-apps/forge/registration',
        'GET /v1/git-apps/forge/registration',
        'GET /v1/git-apps/forge',
      ],
    )
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      organization: 'acme',
      callback_url: 'https://ci.example.com',
      team_path: 'acme',
    })
  })

  test('with --wait 0 prints the address alone; a flow that is over ends with 5', async () => {
    await using here = await stage(api({ ...BEGUN, expires_at: '2026-01-01T00:00:00.000Z' }, WAITING))
    const line = ['git-app', 'register', '--organization', 'acme']
    assert.deepEqual((await here.run([...line, '--wait', '0'])).code, 0)
    const over = await here.run(line)
    assert.equal(over.code, 5)
    assert.match(over.err, /Nothing came back/)
    assert.equal((await here.run(['git-app', 'register'])).code, 2)
  })

  test('an app that is registered already is a conflict', async () => {
    await using here = await stage((_request, response) =>
      answer(response, 412, { status: 412, code: 'git_app.already_registered', detail: 'DELETE it first.' }),
    )
    assert.equal((await here.run(['git-app', 'register', '--organization', 'acme'])).code, 6)
  })

  test('says at once why it failed, and what to do', async () => {
    await using here = await stage(api(BEGUN, WAITING, { ...REGISTERED, status: 'failed', error: 'interrupted' }))
    const { code, err } = await here.run(['git-app', 'register', '--organization', 'acme'])
    assert.equal(code, 5)
    assert.match(err, /The service ended while it asked the provider/)
    assert.match(err, /delete it there\. Then register again\./)
  })

  test('Ctrl-C ends the waiting, and says until when the address serves', async () => {
    await using here = await stage(api(BEGUN, WAITING))
    const env = { SIGNALBOX_URL: here.api.url, SIGNALBOX_TOKEN: 't' }
    const surroundings = here.folder.surroundings({ env })
    const interrupted = {
      ...surroundings,
      onInterrupt(listener: (count: number) => void) {
        listener(1)
        return { [Symbol.dispose]: () => undefined }
      },
    }
    assert.equal(await run(['git-app', 'register', '--organization', 'acme'], interrupted), 130)
    assert.match(surroundings.text.err, new RegExp(`No longer waiting; .* until ${LATER}`))
  })
})

describe('git-app install', () => {
  const begun = { url: 'https://github.com/apps/signalbox-acme/installations/new', state: 's', expires_at: LATER }

  test('waits for an installation that was not there before', async () => {
    const other = { ...INSTALLATION, installation_id: '40', account: 'elsewhere' }
    await using here = await stage(api(begun, [other], [INSTALLATION, other]))
    const { code, out, err } = await here.run(['git-app', 'install', '--provider', 'github'])
    assert.deepEqual([code, out], [0, `${begun.url}\n`])
    assert.match(err, /The installation 41 at acme is active\./)
  })

  test('sees that one which was there is changed, and says what it lacks', async () => {
    const changed = { ...INSTALLATION, status: 'permissions_outdated', reason: 'An owner has not accepted checks.' }
    await using here = await stage(api(begun, [INSTALLATION], [changed]))
    const { code, err } = await here.run(['git-app', 'install'])
    assert.equal(code, 0)
    assert.match(err, /41 at acme is permissions outdated\. An owner has not accepted checks\./)
  })
})

describe('openInBrowser', () => {
  /** A program in place of the one of the desktop, which writes down what it is asked to open. */
  function desktop(folder: TestFolder) {
    const script = `#!/bin/sh\nprintf %s "$#:$1" > "${join(folder.path, 'opened')}"\n`
    for (const name of ['xdg-open', 'open']) writeFileSync(join(folder.path, name), script, { mode: 0o755 })
    return folder.surroundings({ env: { PATH: `${folder.path}:/bin:/usr/bin`, DISPLAY: ':0' } })
  }

  test('hands the address over as one argument that no shell reads', async () => {
    using folder = makeTestFolder()
    const address = 'https://ci.example.com/?state=$(touch x);&a=b'
    await openInBrowser(desktop(folder), address)
    assert.equal(readFileSync(join(folder.path, 'opened'), 'utf8'), `1:${new URL(address).href}`)
  })

  test('opens no other kind of address, and nothing without a screen', async () => {
    using folder = makeTestFolder()
    const surroundings = desktop(folder)
    for (const address of ['file:///etc/passwd', '--help', 'javascript:alert(1)', '']) {
      assert.equal(await openInBrowser(surroundings, address), false, address)
    }
    if (process.platform === 'linux') {
      const bare = folder.surroundings({ env: { PATH: folder.path } })
      assert.equal(await openInBrowser(bare, 'https://ci.example.com/'), false)
    }
  })

  test('a desktop without such a program is no error', async () => {
    using folder = makeTestFolder()
    const surroundings = folder.surroundings({ env: { PATH: folder.path, DISPLAY: ':0' } })
    assert.equal(await openInBrowser(surroundings, 'https://ci.example.com/'), false)
  })
})
