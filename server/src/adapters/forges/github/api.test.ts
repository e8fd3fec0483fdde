import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CommitStatus, ForgeAnswer, ForgeBranch, ForgeConnection, RememberedPage } from '../port.ts'
import { type ExpectedCall, openForgeDouble } from '../testing.ts'
import { apiUrl } from './api.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

/** GitHub's API as docs.github.com describes it, on a strict double. */

const SHA = 'b'.repeat(40)
const HEADERS = {
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
  authorization: 'Bearer ghp_secret',
}

function aBranch(name: string, sha: string) {
  const url = `https://api.github.com/repos/acme/widgets/commits/${sha}`
  return { name, commit: { sha, url }, protected: false }
}

function aPullRequest(overrides: Record<string, unknown> = {}) {
  const repo = { id: 186_853_002, full_name: 'acme/widgets', private: true }
  return {
    id: 279_147_437,
    number: 7,
    state: 'open',
    title: 'Show the signal in amber',
    head: { label: 'acme:patch-1', ref: 'patch-1', sha: SHA, repo },
    base: { label: 'acme:main', ref: 'main', sha: 'a'.repeat(40), repo },
    merged: false,
    ...overrides,
  }
}

const aStatus: CommitStatus = {
  repository: 'acme/widgets',
  commitSha: SHA,
  ref: 'refs/heads/main',
  state: 'success',
  context: 'signalbox/build',
  description: 'The run succeeded.',
  targetUrl: 'https://signalbox.example.com/runs/1',
}

const branchesCall = { method: 'GET', path: '/api/v3/repos/acme/widgets/branches?per_page=100' } as const
const pullCall = { method: 'GET', path: '/api/v3/repos/acme/widgets/pulls/7' } as const
const statusCall = { method: 'POST', path: `/api/v3/repos/acme/widgets/statuses/${SHA}`, headers: HEADERS } as const

describe('the address of the API', () => {
  const of = (baseUrl: string) => apiUrl({ baseUrl })

  test('is a host of its own for GitHub.com and GHE.com, and a path of an Enterprise Server', () => {
    assert.equal(of('https://github.com'), 'https://api.github.com')
    assert.equal(of('https://GitHub.com'), 'https://api.github.com')
    assert.equal(of('https://acme.ghe.com'), 'https://api.acme.ghe.com')
    assert.equal(of('https://github.example.com'), 'https://github.example.com/api/v3')
    assert.equal(of('https://ghe.example.com/github'), 'https://ghe.example.com/github/api/v3')
  })

  test('never becomes a host that only looks like GitHub', () => {
    for (const url of ['https://evil.example/github.com', 'https://github.com.evil.example', 'http://github.com']) {
      assert.equal(of(url), `${url}/api/v3`)
    }
  })
})

describe('branches', () => {
  test('are listed from every page, with the token alone, in the order that they came', async (t) => {
    const double = await openForgeDouble(t, [
      {
        ...branchesCall,
        headers: HEADERS,
        reply: (url) => ({
          status: 200,
          headers: {
            link: `<${url}/api/v3/repos/acme/widgets/branches?per_page=100&page=2>; rel="next", <${url}/x>; rel="last"`,
          },
          body: [aBranch('main', SHA), aBranch('zzz";echo${IFS}"hello";#', 'c'.repeat(40))],
        }),
      },
      {
        method: 'GET',
        path: '/api/v3/repos/acme/widgets/branches?per_page=100&page=2',
        headers: HEADERS,
        reply: { status: 200, body: [aBranch('old', 'd'.repeat(40))] },
      },
    ])
    const connection = double.connection('x-access-token:ghp_secret')
    assert.deepEqual(await repositories.listBranches(connection, 'acme/widgets'), {
      outcome: 'found',
      value: [
        { name: 'main', commitSha: SHA },
        { name: 'zzz";echo${IFS}"hello";#', commitSha: 'c'.repeat(40) },
        { name: 'old', commitSha: 'd'.repeat(40) },
      ],
    })
  })

  test('that did not change cost no rate, page by page, and a page that came after them is found', async (t) => {
    const names = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => aBranch(`b${String(from + at).padStart(4, '0')}`, SHA))
    const page = (number: number, etag: string | undefined) => ({
      method: 'GET' as const,
      path: `/api/v3/repos/acme/widgets/branches?per_page=100${number === 1 ? '' : `&page=${number}`}`,
      headers: { 'if-none-match': etag },
    })
    const next = (number: number) => (url: string) => ({
      link: `<${url}/api/v3/repos/acme/widgets/branches?per_page=100&page=${number}>; rel="next"`,
    })
    const double = await openForgeDouble(t, [
      {
        ...page(1, undefined),
        reply: (url) => ({ status: 200, headers: { ...next(2)(url), etag: '"1"' }, body: names(0, 100) }),
      },
      { ...page(2, undefined), reply: { status: 200, headers: { etag: '"2"' }, body: names(100, 100) } },
      // Without the header that tells of a next page; the full last page was not remembered.
      { ...page(1, '"1"'), reply: { status: 304 } },
      {
        ...page(2, undefined),
        reply: (url) => ({ status: 200, headers: { ...next(3)(url), etag: '"2"' }, body: names(100, 100) }),
      },
      { ...page(3, undefined), reply: { status: 200, headers: { etag: 'W/"3"' }, body: names(200, 1) } },
      { ...page(1, '"1"'), reply: { status: 304 } },
      { ...page(2, '"2"'), reply: { status: 304 } },
      { ...page(3, 'W/"3"'), reply: { status: 304 } },
    ])
    const pages = new Map<string, RememberedPage<ForgeBranch>>()
    const memory = {
      find: (path: string) => pages.get(path),
      keep: (path: string, kept: RememberedPage<ForgeBranch>) => void pages.set(path, kept),
    }
    const counts: number[] = []
    for (let time = 0; time < 3; time += 1) {
      const answer = await repositories.listBranches(double.connection('ghp_secret'), 'acme/widgets', memory)
      counts.push(answer.outcome === 'found' ? answer.value.length : -1)
    }
    assert.deepEqual(counts, [200, 201, 201])
  })

  test('end where the next page is on another host: no token goes there', async (t) => {
    const link = '<https://evil.example/api/v3/repos/acme/widgets/branches?page=2>; rel="next"'
    const double = await openForgeDouble(t, [
      { ...branchesCall, reply: { status: 200, headers: { link }, body: [aBranch('main', SHA)] } },
    ])
    const answer = await repositories.listBranches(double.connection('ghp_secret'), 'acme/widgets')
    assert.deepEqual(answer, { outcome: 'found', value: [{ name: 'main', commitSha: SHA }] })
  })

  test('without a token are asked for anonymously', async (t) => {
    const headers = { ...HEADERS, authorization: undefined }
    const double = await openForgeDouble(t, [{ ...branchesCall, headers, reply: { status: 200, body: [] } }])
    const answer = await repositories.listBranches(double.connection(), 'acme/widgets')
    assert.deepEqual(answer, { outcome: 'found', value: [] })
  })
})

describe('a pull request', () => {
  const found = async (t: Parameters<typeof openForgeDouble>[0], body: unknown) => {
    const double = await openForgeDouble(t, [{ ...pullCall, headers: HEADERS, reply: { status: 200, body } }])
    return repositories.findPullRequest(double.connection('ghp_secret'), 'acme/widgets', 7)
  }

  test('is found as it is now', async (t) => {
    assert.deepEqual(await found(t, aPullRequest()), {
      outcome: 'found',
      value: { headSha: SHA, headRef: 'patch-1', baseRef: 'main', fromFork: false, open: true },
    })
  })

  test('of a fork that is gone counts as from a fork', async (t) => {
    const head = { label: 'unknown:patch-1', ref: 'patch-1', sha: SHA, repo: null }
    assert.deepEqual(await found(t, aPullRequest({ state: 'closed', head })), {
      outcome: 'found',
      value: { headSha: SHA, headRef: 'patch-1', baseRef: 'main', fromFork: true, open: false },
    })
  })
})

describe('a status', () => {
  const report = async (t: Parameters<typeof openForgeDouble>[0], given: CommitStatus, body: unknown) => {
    const double = await openForgeDouble(t, [{ ...statusCall, body, reply: { status: 201, body: { id: 1 } } }])
    return status.report(double.connection('ghp_secret'), given)
  }
  const sent = {
    state: 'success',
    target_url: 'https://signalbox.example.com/runs/1',
    description: 'The run succeeded.',
    context: 'signalbox/build',
  }

  for (const [state, word] of [
    ['pending', 'pending'],
    ['running', 'pending'],
    ['success', 'success'],
    ['failure', 'failure'],
    ['canceled', 'error'],
  ] as const) {
    test(`${state} is told as ${word}`, async (t) => {
      const answer = await report(t, { ...aStatus, state }, { ...sent, state: word })
      assert.deepEqual(answer, { outcome: 'found', value: null })
    })
  }

  test('has a description of at most 140 characters, none of them cut in half', async (t) => {
    const description = `${'a'.repeat(139)}🚦🚦`
    await report(t, { ...aStatus, description }, { ...sent, description: `${'a'.repeat(139)}🚦` })
  })
})

describe('what is not an answer', () => {
  const CALLS: readonly [ExpectedCall, (connection: ForgeConnection) => Promise<ForgeAnswer<unknown>>][] = [
    [{ ...branchesCall, reply: 'reset' }, (connection) => repositories.listBranches(connection, 'acme/widgets')],
    [{ ...pullCall, reply: 'reset' }, (connection) => repositories.findPullRequest(connection, 'acme/widgets', 7)],
    [
      { ...statusCall, headers: {}, body: expectedBody(), reply: 'reset' },
      (connection) => status.report(connection, aStatus),
    ],
  ]
  const REPLIES: readonly [string, ExpectedCall['reply'], RegExp | 'not_found', boolean][] = [
    ['an unknown repository', { status: 404, body: { message: 'Not Found' } }, 'not_found', false],
    ['a refused token', { status: 401, body: { message: 'Bad credentials' } }, /refused the credential \(401\)/, false],
    ['a token without the right', { status: 403, body: {} }, /refused the credential \(403\)/, false],
    ['the rate limit', { status: 403, headers: { 'x-ratelimit-remaining': '0' }, body: {} }, /limits the rate/, true],
    ['the secondary rate limit', { status: 403, headers: { 'retry-after': '60' }, body: {} }, /limits the rate/, true],
    ['too many calls', { status: 429, body: {} }, /limits the rate/, true],
    ['a validation error', { status: 422, body: { message: 'Validation Failed' } }, /answered 422/, false],
    ['a fault of the server', { status: 502, body: '<html>' }, /answered 502/, true],
    ['no JSON', { status: 200, body: '<html>' }, /not JSON/, false],
    ['a redirect', { status: 301, headers: { location: 'https://evil.example/' }, body: {} }, /redirects/, false],
    ['a broken connection', 'reset', /could not be reached/, true],
  ]

  for (const [name, reply, expected, retry] of REPLIES) {
    for (const [call, ask] of CALLS) {
      test(`${name}, asked by ${call.method} ${call.path}`, async (t) => {
        const double = await openForgeDouble(t, [{ ...call, reply }])
        const answer = await ask(double.connection('ghp_secret'))
        if (expected === 'not_found') {
          assert.deepEqual(answer, { outcome: 'not_found' })
          return
        }
        assert.ok(answer.outcome === 'failed', JSON.stringify(answer))
        assert.match(answer.reason, expected)
        assert.doesNotMatch(answer.reason, /ghp_secret|127\.0\.0\.1/)
        assert.equal(answer.retry, retry)
      })
    }
  }

  for (const body of [{}, null, 7, 'text', { state: 'open' }]) {
    test(`JSON that nobody documents: ${JSON.stringify(body)}`, async (t) => {
      const reply = { status: 200, body: JSON.stringify(body) }
      const double = await openForgeDouble(t, [
        { ...branchesCall, reply },
        { ...pullCall, reply },
      ])
      const connection = double.connection('ghp_secret')
      const expected = { outcome: 'failed', reason: 'The provider answered something that it does not document.' }
      for (const answer of [
        await repositories.listBranches(connection, 'acme/widgets'),
        await repositories.findPullRequest(connection, 'acme/widgets', 7),
      ]) {
        assert.deepEqual(answer, { ...expected, retry: false, cause: 'invalid' })
      }
    })
  }

  test('a provider that never answers, until the caller gives up', async (t) => {
    const given = new AbortController()
    const double = await openForgeDouble(t, [
      {
        ...branchesCall,
        reply: () => {
          given.abort()
          return 'silence'
        },
      },
    ])
    const answer = await repositories.listBranches(double.connection('ghp_secret', given.signal), 'acme/widgets')
    assert.ok(answer.outcome === 'failed' && answer.retry)
  })
})

function expectedBody() {
  return {
    state: 'success',
    target_url: aStatus.targetUrl,
    description: aStatus.description,
    context: aStatus.context,
  }
}
