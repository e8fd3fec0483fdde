import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CommitStatus } from '../port.ts'
import { type ExpectedCall, type ForgeDoubleReply, openForgeDouble } from '../testing.ts'
import { apiUrl } from './api.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

/** Bitbucket Cloud's API as developer.atlassian.com describes it, on a strict double. */

const SHA = 'b'.repeat(40)
const HERE = '/2.0/repositories/acme/widgets'
const headers = { authorization: 'Bearer repository-token' }
const branchesCall = { method: 'GET', path: `${HERE}/refs/branches?pagelen=100`, headers } as const
const pullCall = { method: 'GET', path: `${HERE}/pullrequests/7`, headers } as const
const commitsCall = { method: 'GET', path: `${HERE}/pullrequests/7/commits?pagelen=100`, headers } as const

type Test = Parameters<typeof openForgeDouble>[0]

function aBranch(name: string, hash: string) {
  return { type: 'branch', name, target: { type: 'commit', hash, repository: { full_name: 'acme/widgets' } } }
}

function anEnd(name: string, hash: string, uuid: string | null) {
  return {
    branch: { name },
    commit: { type: 'commit', hash },
    repository: uuid === null ? null : { type: 'repository', uuid },
  }
}

function aPullRequest(overrides: Record<string, unknown> = {}) {
  return {
    type: 'pullrequest',
    id: 7,
    state: 'OPEN',
    title: 'Show the signal in amber',
    source: anEnd('amber', 'b'.repeat(12), '{898477b2-a080-4089-b385-597a783db392}'),
    destination: anEnd('main', 'a'.repeat(12), '{898477b2-a080-4089-b385-597a783db392}'),
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
const sent = {
  key: 'signalbox/build',
  name: 'signalbox/build',
  state: 'SUCCESSFUL',
  description: 'The run succeeded.',
  url: 'https://signalbox.example.com/runs/1',
}
const statusCall = { method: 'POST', path: `${HERE}/commit/${SHA}/statuses/build`, headers, body: sent } as const

test('the API has its own host for bitbucket.org and no other', () => {
  assert.equal(apiUrl({ baseUrl: 'https://bitbucket.org' }), 'https://api.bitbucket.org/2.0')
  for (const baseUrl of [
    'https://proxy.example.com/bitbucket',
    'https://bitbucket.org.evil.example',
    'http://bitbucket.org',
  ]) {
    assert.equal(apiUrl({ baseUrl }), `${baseUrl}/2.0`)
  }
})

describe('branches', () => {
  const list = async (t: Test, calls: readonly ExpectedCall[], token?: string) => {
    const double = await openForgeDouble(t, calls)
    return repositories.listBranches(double.connection(token), 'acme/widgets')
  }

  test('are listed from every page, in the order that they came', async (t) => {
    const next = `${HERE}/refs/branches?pagelen=100&page=2`
    const answer = await list(
      t,
      [
        {
          ...branchesCall,
          reply: (url) => ({
            status: 200,
            body: {
              pagelen: 100,
              page: 1,
              next: `${url}${next}`,
              values: [aBranch('main', SHA), aBranch('zzz"$(id)', SHA)],
            },
          }),
        },
        {
          method: 'GET',
          path: next,
          headers,
          reply: { status: 200, body: { pagelen: 100, page: 2, values: [aBranch('old', SHA)] } },
        },
      ],
      'repository-token',
    )
    assert.deepEqual(answer, {
      outcome: 'found',
      value: ['main', 'zzz"$(id)', 'old'].map((name) => ({ name, commitSha: SHA })),
    })
  })

  test('end where the next page is on another host or outside the API: no token goes there', async (t) => {
    for (const next of ['https://evil.example/2.0/x', '/other', 'javascript:1', '//evil.example/2.0/x', 7]) {
      const reply = { status: 200, body: { next, values: [aBranch('main', SHA)] } }
      assert.deepEqual(await list(t, [{ ...branchesCall, reply }], 'repository-token'), {
        outcome: 'found',
        value: [{ name: 'main', commitSha: SHA }],
      })
    }
  })

  test('are asked for as whom the token is: an account, a repository or nobody', async (t) => {
    const reply = { status: 200, body: { values: [] } }
    for (const [token, authorization] of [
      ['repository-token', 'Bearer repository-token'],
      ['x-token-auth:repository-token', 'Bearer repository-token'],
      ['mona@example.com:api-token', `Basic ${Buffer.from('mona@example.com:api-token').toString('base64')}`],
      [undefined, undefined],
    ] as const) {
      await list(t, [{ ...branchesCall, headers: { authorization }, reply }], token)
    }
  })
})

describe('a pull request', () => {
  const find = async (t: Test, calls: readonly ExpectedCall[]) => {
    const double = await openForgeDouble(t, calls)
    return repositories.findPullRequest(double.connection('repository-token'), 'acme/widgets', 7)
  }
  const commits = (...hashes: string[]): ExpectedCall => ({
    ...commitsCall,
    reply: { status: 200, body: { values: hashes.map((hash) => ({ type: 'commit', hash })) } },
  })
  const pull = (overrides = {}): ExpectedCall => ({
    ...pullCall,
    reply: { status: 200, body: aPullRequest(overrides) },
  })

  test('has its head looked up among its commits, as Bitbucket names only twelve digits of it', async (t) => {
    assert.deepEqual(await find(t, [pull(), commits(SHA, 'c'.repeat(40))]), {
      outcome: 'found',
      value: { headSha: SHA, headRef: 'amber', baseRef: 'main', fromFork: false, open: true },
    })
  })

  test('whose head is named in full needs no second call', async (t) => {
    const source = anEnd('amber', SHA, null)
    assert.deepEqual(await find(t, [pull({ source, state: 'MERGED' })]), {
      outcome: 'found',
      value: { headSha: SHA, headRef: 'amber', baseRef: 'main', fromFork: true, open: false },
    })
  })

  test('whose head is not, or not surely, among its commits is not guessed', async (t) => {
    for (const hashes of [[], ['c'.repeat(40)], ['b'.repeat(12)], [SHA, `${'b'.repeat(39)}c`]]) {
      const answer = await find(t, [pull(), commits(...hashes)])
      assert.ok(answer.outcome === 'failed' && answer.retry)
      assert.match(answer.reason, /only in part/)
    }
  })

  test('whose commits are not shown is not found', async (t) => {
    const answer = await find(t, [pull(), { ...commitsCall, reply: { status: 404, body: {} } }])
    assert.deepEqual(answer, { outcome: 'not_found' })
  })
})

describe('a status', () => {
  const report = async (t: Test, given: CommitStatus, body: unknown) => {
    const double = await openForgeDouble(t, [{ ...statusCall, body, reply: { status: 201, body: { uuid: '{1}' } } }])
    return status.report(double.connection('repository-token'), given)
  }

  for (const [state, word] of [
    ['pending', 'INPROGRESS'],
    ['running', 'INPROGRESS'],
    ['success', 'SUCCESSFUL'],
    ['failure', 'FAILED'],
    ['canceled', 'STOPPED'],
  ] as const) {
    test(`${state} is told as ${word}`, async (t) => {
      assert.deepEqual(await report(t, { ...aStatus, state }, { ...sent, state: word }), {
        outcome: 'found',
        value: null,
      })
    })
  }

  test('of a long name has a key of its own: the first 40 digits of its SHA-256', async (t) => {
    const context = `signalbox/${'a'.repeat(300)}`
    const key = 'daca4f6d2a136d78e83dcc98153ec81081339e70'
    await report(t, { ...aStatus, context }, { ...sent, key, name: context.slice(0, 255) })
  })

  test('has a description of at most 255 characters, none of them cut in half', async (t) => {
    const description = `${'a'.repeat(254)}🚦🚦`
    await report(t, { ...aStatus, description }, { ...sent, description: `${'a'.repeat(254)}🚦` })
  })
})

describe('what is not an answer', () => {
  const asked: readonly [ExpectedCall, (double: Awaited<ReturnType<typeof openForgeDouble>>) => Promise<unknown>][] = [
    [
      { ...branchesCall, reply: 'reset' },
      (double) => repositories.listBranches(double.connection('repository-token'), 'acme/widgets'),
    ],
    [
      { ...pullCall, reply: 'reset' },
      (double) => repositories.findPullRequest(double.connection('repository-token'), 'acme/widgets', 7),
    ],
    [{ ...statusCall, reply: 'reset' }, (double) => status.report(double.connection('repository-token'), aStatus)],
  ]
  const replies: readonly [string, ForgeDoubleReply, object][] = [
    ['an unknown repository', { status: 404, body: { type: 'error' } }, { outcome: 'not_found' }],
    [
      'a refused token',
      { status: 401, body: { type: 'error' } },
      failed('The provider refused the credential (401).', false),
    ],
    [
      'the rate limit',
      { status: 429, body: 'Rate limit for this resource has been exceeded' },
      failed('The provider limits the rate of calls.', true),
    ],
    ['a fault of the server', { status: 502, body: '<html>' }, failed('The provider answered 502.', true)],
    ['no JSON', { status: 200, body: '<html>' }, failed('The provider answered something that is not JSON.', false)],
  ]
  for (const [name, reply, expected] of replies) {
    test(name, async (t) => {
      for (const [call, ask] of asked)
        assert.partialDeepStrictEqual(await ask(await openForgeDouble(t, [{ ...call, reply }])), expected)
    })
  }

  test('JSON that nobody documents', async (t) => {
    for (const body of [[], null, 7, { values: 7, source: 7 }, { source: { commit: { hash: 'main' } } }]) {
      const reply = { status: 200, body: JSON.stringify(body) }
      for (const [call, ask] of asked.slice(0, 2)) {
        const answer = await ask(await openForgeDouble(t, [{ ...call, reply }]))
        assert.partialDeepStrictEqual(
          answer,
          failed('The provider answered something that it does not document.', false),
          JSON.stringify(body),
        )
      }
    }
  })
})

function failed(reason: string, retry: boolean) {
  return { outcome: 'failed', reason, retry }
}
