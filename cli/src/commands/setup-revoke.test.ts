import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { profilePath, storeProfile } from '../config/profile.ts'
import { answer, type Handler, refuse, type SeenRequest } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const BOOTSTRAP = { kind: 'bootstrap', id: 'bootstrap', name: 'bootstrap token' }
const ADA = { kind: 'user', id: 'u', name: 'ada' }
const ID = '01900000-0000-7000-8000-00000000000'
const OVERRIDE = { pipeline: 'acme/build', scope: 'acme/test', expires_at: null, reason: 'A trial.' }
const override = (name: string, expired: boolean) => ({
  repo_owner: 'acme',
  repo_name: name,
  expired,
  owner: BOOTSTRAP,
  ...OVERRIDE,
})

const OWNED: Readonly<Record<string, readonly object[]>> = {
  '/v1/git-webhook-sources': [{ id: `${ID}1`, name: 'github', owner: BOOTSTRAP }],
  '/v1/triggers': [
    { id: `${ID}2`, team_path: 'acme', name: 'push', owner: BOOTSTRAP },
    { id: `${ID}3`, team_path: 'acme', name: 'of-ada', owner: ADA },
  ],
  '/v1/schedules': [{ id: `${ID}4`, identifier: 'acme/nightly', owner: BOOTSTRAP }],
  '/v1/external-triggers': [{ id: `${ID}5`, identifier: 'acme/deploy', owner: BOOTSTRAP }],
  '/v1/overrides': [override('shop', false), override('old', true)],
}

/** A control plane where the bootstrap token owns these, asked by an administrator unless another is given. */
function place(owned: Readonly<Record<string, readonly object[]>>, { caller = ADA, valid = true } = {}): Handler {
  return ({ method, path }, response) => {
    if (path === '/v1/auth/me') return answer(response, 200, caller)
    if (method === 'DELETE') return answer(response, 204, undefined)
    if (path === '/v1/auth/bootstrap') return answer(response, 200, { valid })
    return answer(response, 200, method === 'GET' ? (owned[path.split('?')[0] ?? ''] ?? []) : {})
  }
}

const writes = (seen: readonly SeenRequest[]): string[] =>
  seen.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => `${method} ${path} ${body}`.trim())
const REVOKED = 'DELETE /v1/auth/bootstrap'
const COMMAND = ['setup', 'revoke-bootstrap']

describe('setup revoke-bootstrap', () => {
  test('is sent by the administrator who is signed in', async () => {
    await using here = await stage(place({}))
    storeProfile(profilePath(here.folder.surroundings()), { url: here.api.url, token: 'sbxu_own' })
    const { code, err } = await here.run(COMMAND, { env: { SIGNALBOX_TOKEN: '' } })
    assert.equal(code, 0)
    assert.match(err, /is revoked/)
    assert.deepEqual(writes(here.api.seen), [REVOKED])
    assert.equal(here.api.seen.at(-1)?.headers.authorization, 'Bearer sbxu_own')
  })

  test('refuses while the token owns what starts runs, and names it', async () => {
    await using here = await stage(place(OWNED))
    const { code, err } = await here.run(COMMAND)
    assert.equal(code, 3)
    const names = ['source github', 'trigger acme/push', 'schedule acme/nightly', 'external trigger acme/deploy']
    for (const name of [...names, 'override acme/shop']) assert.match(err, new RegExp(`^  ${name}$`, 'm'))
    assert.doesNotMatch(err, /of-ada|acme\/old/, 'what another owns, and what is over')
    assert.match(err, /is not revoked: 5 that start runs .*\n +--take-over makes you their owner first; --force/)
    assert.deepEqual(writes(here.api.seen), [])
  })

  test('looks at every page of a list, and names twenty', async () => {
    const many = Array.from({ length: 22 }, (_, at) => ({
      id: `${ID}2`,
      team_path: 'acme',
      name: `t${at}`,
      owner: BOOTSTRAP,
    }))
    await using here = await stage((request, response) => {
      if (!request.path.startsWith('/v1/triggers?')) return place({})(request, response)
      if (request.path.includes('cursor=2')) return answer(response, 200, many.slice(11))
      answer(response, 200, many.slice(0, 11), { link: '</v1/triggers?cursor=2>; rel="next"' })
    })
    const { err } = await here.run(COMMAND)
    assert.match(err, /^  trigger acme\/t19\n  and 2 more$/m)
    assert.match(err, /22 that start runs/)
  })

  test('--force revokes it all the same, with the list as a warning', async () => {
    await using here = await stage(place(OWNED))
    const { code, err } = await here.run([...COMMAND, '--force'])
    assert.equal(code, 0)
    assert.match(err, /^  trigger acme\/push$/m)
    assert.deepEqual(writes(here.api.seen), [REVOKED])
  })

  test('--take-over writes each back unchanged, which makes the caller its owner, and then revokes', async () => {
    await using here = await stage(place(OWNED))
    const { code, err } = await here.run([...COMMAND, '--take-over'])
    assert.equal(code, 0, err)
    assert.match(err, /^You own 5 of the 5 that the bootstrap token owned\.$/m)
    assert.deepEqual(writes(here.api.seen), [
      `PATCH /v1/git-webhook-sources/${ID}1 {}`,
      `PATCH /v1/triggers/${ID}2 {}`,
      `PATCH /v1/schedules/${ID}4 {}`,
      `PATCH /v1/external-triggers/${ID}5 {}`,
      `PUT /v1/overrides/acme/shop ${JSON.stringify(OVERRIDE)}`,
      REVOKED,
    ])
  })

  test('--take-over revokes nothing where one cannot be written back, and says why', async () => {
    await using here = await stage((request, response) =>
      request.path === `/v1/triggers/${ID}2`
        ? refuse(response, 400, 'trigger.invalid', 'pipeline: there is no pipeline acme/build that you may see.')
        : place(OWNED)(request, response),
    )
    const { code, err } = await here.run([...COMMAND, '--take-over'])
    assert.equal(code, 3)
    assert.match(err, /^You own 4 of the 5/m)
    assert.match(err, /^  trigger acme\/push: pipeline: there is no pipeline acme\/build/m)
    assert.ok(!writes(here.api.seen).includes(REVOKED))
  })

  test('--take-over also brings back what a token owned that was revoked before', async () => {
    await using here = await stage(place(OWNED, { valid: false }))
    const { code, err } = await here.run([...COMMAND, '--take-over'])
    assert.equal(code, 0)
    assert.match(err, /was revoked before/)
    assert.equal(writes(here.api.seen).length, 5)
    assert.ok(!writes(here.api.seen).includes(REVOKED))
  })

  test('the bootstrap token does not revoke itself, and takes nothing over', async () => {
    await using here = await stage(place(OWNED, { caller: BOOTSTRAP }))
    const { code, err } = await here.run([...COMMAND, '--take-over'])
    assert.equal(code, 3)
    assert.match(err, /does not revoke itself/)
    assert.deepEqual(writes(here.api.seen), [])
  })
})
