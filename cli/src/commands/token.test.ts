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
      expires_at: null,
      last_used_at: null,
    }
    await using here = await stage((_request, response) => answer(response, 200, [token]))
    const { out } = await here.run(['token', 'list'])
    assert.match(out, /deploy\s+service_account:acme\/ci\s+never/)
  })

  test('the end of a token is a time, or the command line is wrong', async () => {
    using folder = makeTestFolder()
    const { code, err } = await folder.run(['token', 'create', 'ci', '--expires', 'tomorrow'])
    assert.equal(code, 2)
    assert.match(err, /such as 2027-01-01T00:00:00Z/)
  })
})
