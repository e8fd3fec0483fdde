import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CommitStatus, ForgeAnswer } from '../port.ts'
import { type ExpectedCall, openForgeDouble } from '../testing.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

const TOKEN = 'glpat-correct-horse'
const PROJECT = '/api/v4/projects/acme%2Fweb%2Fwidgets'
const BEARER = { authorization: `Bearer ${TOKEN}`, 'private-token': undefined }
const A = 'a'.repeat(40)
const B = 'b'.repeat(40)

function branchesCall(page: string, reply: ExpectedCall['reply']): ExpectedCall {
  return { method: 'GET', path: `${PROJECT}/repository/branches?per_page=100${page}`, headers: BEARER, reply }
}

/** A branch as GitLab describes it. */
function aBranch(name: unknown, id: unknown) {
  return {
    name,
    merged: false,
    protected: true,
    default: false,
    developers_can_push: false,
    can_push: true,
    web_url: `https://gitlab.example/acme/web/widgets/-/tree/${String(name)}`,
    commit: { id, short_id: String(id).slice(0, 8), title: 'Green', parent_ids: [], author_name: 'Mona Lisa' },
  }
}

function assertFailed(answer: ForgeAnswer<unknown>, reason: RegExp, retry: boolean) {
  assert.ok(answer.outcome === 'failed', JSON.stringify(answer))
  assert.match(answer.reason, reason)
  assert.doesNotMatch(answer.reason, /horse/)
  assert.equal(answer.retry, retry)
}

describe('branches', () => {
  test('are listed page by page, of a project in nested groups', async (t) => {
    const double = await openForgeDouble(t, [
      branchesCall('', (url) => ({
        status: 200,
        headers: { 'x-next-page': '2', link: `<https://other.example${new URL(url).pathname}>; rel="next"` },
        body: [aBranch('main', A), aBranch('feature/"x"', B)],
      })),
      branchesCall('&page=2', { status: 200, headers: { 'x-next-page': '' }, body: [aBranch('next', B)] }),
    ])
    assert.deepEqual(await repositories.listBranches(double.connection(TOKEN), 'acme/web/widgets'), {
      outcome: 'found',
      value: [
        { name: 'main', commitSha: A },
        { name: 'feature/"x"', commitSha: B },
        { name: 'next', commitSha: B },
      ],
    })
  })

  test('whose name or commit is none are left out', async (t) => {
    const body = [aBranch('a..b', A), aBranch('x', 'abc123'), aBranch(7, A), 'x', null, aBranch('main', A)]
    const double = await openForgeDouble(t, [branchesCall('', { status: 200, body })])
    assert.deepEqual(await repositories.listBranches(double.connection(TOKEN), 'acme/web/widgets'), {
      outcome: 'found',
      value: [{ name: 'main', commitSha: A }],
    })
  })

  test('are asked for anonymously without a token, and without the user that Git wants before it', async (t) => {
    const anonymous = { authorization: undefined, 'private-token': undefined }
    const reply = { status: 200, body: [] }
    const double = await openForgeDouble(t, [
      { ...branchesCall('', reply), headers: anonymous },
      { ...branchesCall('', reply), headers: anonymous },
      branchesCall('', reply),
    ])
    for (const token of [undefined, 'oauth2:', `oauth2:${TOKEN}`]) {
      const found = await repositories.listBranches(double.connection(token), 'acme/web/widgets')
      assert.deepEqual(found, { outcome: 'found', value: [] })
    }
  })

  test('follow no page that is not a number', async (t) => {
    for (const page of ['../..', '2&private_token=x', '-1', '1e9', ' ']) {
      const reply = { status: 200, headers: { 'x-next-page': page }, body: [aBranch('main', A)] }
      const double = await openForgeDouble(t, [branchesCall('', reply)])
      const found = await repositories.listBranches(double.connection(TOKEN), 'acme/web/widgets')
      assert.equal(found.outcome === 'found' ? found.value.length : 0, 1)
    }
  })

  test('that cannot be told say why', async (t) => {
    const double = await openForgeDouble(t, [
      branchesCall('', { status: 404, body: { message: '404 Project Not Found' } }),
      branchesCall('', { status: 401, body: { message: '401 Unauthorized' } }),
      branchesCall('', { status: 403, body: { error: 'insufficient_scope' } }),
      branchesCall('', { status: 429, headers: { 'retry-after': '60' }, body: 'Retry later' }),
      branchesCall('', { status: 500, body: { message: '500 Internal Server Error' } }),
      branchesCall('', { status: 302, headers: { location: 'https://gitlab.example/users/sign_in' } }),
      branchesCall('', { status: 200, body: '<html>Sign in</html>' }),
      branchesCall('', { status: 200, body: { message: 'no list' } }),
      branchesCall('', 'reset'),
    ])
    const ask = () => repositories.listBranches(double.connection(TOKEN), 'acme/web/widgets')
    assert.deepEqual(await ask(), { outcome: 'not_found' })
    assertFailed(await ask(), /refused the credential/, false)
    assertFailed(await ask(), /refused the credential/, false)
    assertFailed(await ask(), /limits the rate/, true)
    assertFailed(await ask(), /answered 500/, true)
    assertFailed(await ask(), /redirects/, false)
    assertFailed(await ask(), /not JSON/, false)
    assertFailed(await ask(), /not document/, false)
    assertFailed(await ask(), /could not be reached/, true)
  })
})

describe('a merge request', () => {
  const MERGE_REQUEST = {
    id: 99,
    iid: 7,
    project_id: 15,
    title: 'Turn the signal to green',
    state: 'opened',
    source_branch: 'green',
    target_branch: 'main',
    source_project_id: 15,
    target_project_id: 15,
    sha: B,
    diff_refs: { base_sha: A, head_sha: B, start_sha: A },
    draft: false,
    labels: ['ready'],
  }
  const call = (reply: ExpectedCall['reply']): ExpectedCall => ({
    method: 'GET',
    path: `${PROJECT}/merge_requests/7`,
    headers: BEARER,
    reply,
  })
  async function find(t: Parameters<typeof openForgeDouble>[0], body: unknown) {
    const double = await openForgeDouble(t, [call({ status: 200, body })])
    return repositories.findPullRequest(double.connection(TOKEN), 'acme/web/widgets', 7)
  }

  test('is found as it is now', async (t) => {
    assert.deepEqual(await find(t, MERGE_REQUEST), {
      outcome: 'found',
      value: { headSha: B, headRef: 'green', baseRef: 'main', fromFork: false, open: true },
    })
  })

  test('is from a fork when its projects differ or the source is gone', async (t) => {
    for (const source of [31, null]) {
      const found = await find(t, { ...MERGE_REQUEST, source_project_id: source })
      assert.equal(found.outcome === 'found' && found.value.fromFork, true)
    }
  })

  test('is not open once it is closed or merged', async (t) => {
    for (const state of ['closed', 'merged', 'locked']) {
      const found = await find(t, { ...MERGE_REQUEST, state })
      assert.equal(found.outcome === 'found' && found.value.open, false)
    }
  })

  test('without a whole commit is nothing that GitLab documents', async (t) => {
    for (const body of [{ ...MERGE_REQUEST, sha: null }, { ...MERGE_REQUEST, sha: 'bbbbbbbb' }, {}, [], 'x']) {
      assertFailed(await find(t, JSON.stringify(body)), /not document/, false)
    }
  })

  test('that is not there is not found', async (t) => {
    const double = await openForgeDouble(t, [call({ status: 404, body: { message: '404 Not found' } })])
    const found = await repositories.findPullRequest(double.connection(TOKEN), 'acme/web/widgets', 7)
    assert.deepEqual(found, { outcome: 'not_found' })
  })
})

describe('a status', () => {
  const REPORTED: CommitStatus = {
    repository: 'acme/web/widgets',
    commitSha: B,
    ref: 'refs/heads/feature/green',
    state: 'failure',
    context: 'signalbox/build',
    description: 'A step failed.',
    targetUrl: 'https://signalbox.example/runs/1',
  }
  const BODY = {
    state: 'failed',
    name: 'signalbox/build',
    description: 'A step failed.',
    ref: 'feature/green',
    target_url: 'https://signalbox.example/runs/1',
  }
  const call = (body: unknown, reply: ExpectedCall['reply'] = { status: 201, body: { id: 1 } }): ExpectedCall => ({
    method: 'POST',
    path: `${PROJECT}/statuses/${B}`,
    headers: BEARER,
    body,
    reply,
  })
  async function report(t: Parameters<typeof openForgeDouble>[0], reported: CommitStatus, expected: ExpectedCall) {
    const double = await openForgeDouble(t, [expected])
    return status.report(double.connection(TOKEN), reported)
  }

  test('is told in the words of GitLab', async (t) => {
    const words = {
      pending: 'pending',
      running: 'running',
      success: 'success',
      failure: 'failed',
      canceled: 'canceled',
    } as const
    for (const state of ['pending', 'running', 'success', 'failure', 'canceled'] as const) {
      const answer = await report(t, { ...REPORTED, state }, call({ ...BODY, state: words[state] }))
      assert.deepEqual(answer, { outcome: 'found', value: null })
    }
  })

  test('is filed under a branch or a tag, and under none for any other ref', async (t) => {
    const { ref: _, ...without } = BODY
    await report(t, { ...REPORTED, ref: 'refs/tags/v1' }, call({ ...BODY, ref: 'v1' }))
    await report(t, { ...REPORTED, ref: 'refs/heads/refs/tags/v1' }, call({ ...BODY, ref: 'refs/tags/v1' }))
    await report(t, { ...REPORTED, ref: 'refs/merge-requests/7/head' }, call(without))
    await report(t, { ...REPORTED, ref: null }, call(without))
  })

  test('is cut to what GitLab takes', async (t) => {
    const { target_url: _, ...without } = BODY
    const long = {
      ...REPORTED,
      context: 'c'.repeat(300),
      description: '🚦'.repeat(300),
      targetUrl: `https://a.example/${'x'.repeat(300)}`,
    }
    await report(t, long, call({ ...without, name: 'c'.repeat(255), description: '🚦'.repeat(255) }))
  })

  test('that GitLab shows already is told', async (t) => {
    const message = 'Cannot transition status via :run from :running (Reason(s): Status cannot transition via "run")'
    const answer = await report(t, REPORTED, call(BODY, { status: 400, body: { message } }))
    assert.deepEqual(answer, { outcome: 'found', value: null })
  })

  test('that GitLab does not take is not told', async (t) => {
    const refused = { status: 400, body: { message: { name: ['is invalid'] } } }
    assertFailed(await report(t, REPORTED, call(BODY, refused)), /answered 400/, false)
    assertFailed(await report(t, REPORTED, call(BODY, { status: 403 })), /refused the credential/, false)
    assertFailed(await report(t, REPORTED, call(BODY, { status: 503 })), /answered 503/, true)
    const missing = await report(t, REPORTED, call(BODY, { status: 404, body: { message: '404 Commit Not Found' } }))
    assert.deepEqual(missing, { outcome: 'not_found' })
  })
})
