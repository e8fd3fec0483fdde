import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, refuse } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'
import { makeTestFolder } from '../testing/test-surroundings.ts'

describe('tokens', () => {
  test('a token for nobody says how an account and its token are made', async () => {
    await using here = await stage((_request, response) =>
      refuse(response, 400, 'invalid_request', {
        detail: 'You are not a user.',
        errors: [{ field: 'user_id', message: 'You are not a user.' }],
      }),
    )
    const { code, err } = await here.run(['token', 'create', 'laptop'])
    assert.equal(code, 2)
    assert.match(err, /service-account create <team>\/<name>/)
  })

  test('are listed with whom they stand for', async () => {
    const token = {
      id: 'a',
      name: 'deploy',
      owner: 'service_account:acme/ci',
      last_four: 'w3Xy',
      permissions: ['run.read'],
      team_path: 'acme/web',
      read_only: true,
      families: ['runs'],
      expires_at: null,
      last_used_at: null,
    }
    await using here = await stage((_request, response) => answer(response, 200, [token]))
    const { out } = await here.run(['token', 'list'])
    assert.match(out, /deploy\tservice_account:acme\/ci\tacme\/web, reading, run\.read, family runs\tnever/)
  })

  test('get the limits that are given, as lists or one by one', async () => {
    await using here = await stage((_request, response) => answer(response, 201, { token: 'sbxu_x' }))
    const line = ['--permission', 'run.read,log.read', '--family', 'runs', '--family', 'logs', '--team', 'acme/web']
    const { code, err } = await here.run(['token', 'create', 'agent', ...line, '--read-only'])
    assert.equal(code, 0, err)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), {
      name: 'agent',
      permissions: ['run.read', 'log.read'],
      team_path: 'acme/web',
      read_only: true,
      families: ['runs', 'logs'],
    })
  })

  test('the end of a token is a time, or the command line is wrong', async () => {
    using folder = makeTestFolder()
    const { code, err } = await folder.run(['token', 'create', 'ci', '--expires', 'tomorrow'])
    assert.equal(code, 2)
    assert.match(err, /such as 2027-01-01T00:00:00Z/)
  })
})
