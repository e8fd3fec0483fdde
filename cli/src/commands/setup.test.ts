import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { profilePath } from '../config/profile.ts'
import { answer, type Handler } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ADVICE = { code: 'bootstrap_token_valid', message: 'It is valid.', remedy: 'Revoke it.' }

describe('setup', () => {
  test('administrator: makes them with the bootstrap token, signs in as them, and says what is left to do', async () => {
    await using here = await stage((_request, response) =>
      answer(response, 201, { user: {}, token: 'sbxu_new', advice: [ADVICE] }),
    )
    const { code, err, out } = await here.run(['setup', 'administrator', 'ada', '--password-stdin'], {
      stdin: 'secret\n',
    })
    assert.equal(code, 0)
    assert.match(err, /It is valid\. Revoke it\./)
    assert.equal(out, '', 'the token is not shown')
    const [request] = here.api.seen
    assert.deepEqual([request?.method, request?.path], ['POST', '/v1/setup/administrator'])
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      login: 'ada',
      password: 'secret',
      token_name: 'signalbox setup',
    })
    const kept = JSON.parse(readFileSync(profilePath(here.folder.surroundings()), 'utf8'))
    assert.deepEqual(kept, { url: here.api.url, token: 'sbxu_new' })
  })

  test('administrator: without a password it says what sets one, as the web page asks for it', async () => {
    await using here = await stage((_request, response) =>
      answer(response, 201, { user: {}, token: 'sbxu_new', advice: [] }),
    )
    const command = /To set one: `printf %s "\$PASSWORD" \| signalbox user update ada --password-stdin`/
    assert.match((await here.run(['setup', 'administrator', 'ada'])).err, command)
    const given = await here.run(['setup', 'administrator', 'ada', '--password-stdin'], { stdin: 'secret\n' })
    assert.doesNotMatch(given.err, command)
    const empty = await here.run(['setup', 'administrator', 'ada', '--password-stdin'], { stdin: '\n' })
    assert.equal(empty.code, 2)
    assert.equal(here.api.seen.length, 2, 'nobody is made with an empty password')
  })
})

describe('doctor', () => {
  const api =
    (bootstrap: object, status = 200): Handler =>
    (request, response) => {
      if (request.path === '/healthz') return answer(response, 200, { status: 'ok', checks: [] })
      if (request.path === '/v1/setup/preflight') return answer(response, 200, { ready: true, blockers: [] })
      if (request.path === '/v1/auth/bootstrap') return answer(response, status, bootstrap)
      if (request.path === '/v1/runners') return answer(response, 200, [])
      return answer(response, 200, { kind: 'user', id: 'u', name: 'ada', display_name: null, email: null, groups: [] })
    }
  const levelOf = async (handler: Handler): Promise<string | undefined> => {
    await using here = await stage(handler)
    const findings: { name: string; level: string }[] = JSON.parse((await here.run(['doctor', '--json'])).out)
    return findings.find(({ name }) => name === 'bootstrap')?.level
  }

  test('warns while the bootstrap token lives beside an administrator, and tells nobody else', async () => {
    assert.equal(await levelOf(api({ valid: true, configured: false, administrator_exists: true })), 'warn')
    assert.equal(await levelOf(api({ valid: true, configured: false, administrator_exists: false })), undefined)
    assert.equal(await levelOf(api({ valid: false, configured: true, administrator_exists: true })), undefined)
    const problem = { type: 'about:blank', title: 't', status: 403, detail: 'd', code: 'forbidden', errors: [] }
    assert.equal(await levelOf(api(problem, 403)), undefined)
  })
})
