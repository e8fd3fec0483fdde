import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CommitStatus, ForgeConnection } from '../port.ts'
import { type ExpectedCall, type ForgeDoubleReply, openForgeDouble } from '../testing.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

/** The REST API 7.1 of Azure DevOps as learn.microsoft.com describes it, on a strict double. */

const SHA = 'b'.repeat(40)
const TOKEN = 'personal-access-token'
const HERE = '/acme/My%20Project/_apis/git/repositories/widgets'
const NAME = 'acme/My Project/widgets'
const headers = { authorization: basic(`:${TOKEN}`), 'x-tfs-fedauthredirect': 'Suppress' }
const branchesCall = { method: 'GET', path: `${HERE}/refs?filter=heads/&$top=1000&api-version=7.1`, headers } as const
const pullCall = { method: 'GET', path: `${HERE}/pullrequests/7?api-version=7.1`, headers } as const

type Test = Parameters<typeof openForgeDouble>[0]

/** A connection to the organisation acme at the double. */
async function connect(
  t: Test,
  calls: readonly ExpectedCall[],
  token: string | undefined = TOKEN,
): Promise<ForgeConnection> {
  const double = await openForgeDouble(t, calls)
  return { ...double.connection(token), baseUrl: `${double.url}/acme` }
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

function aRef(name: string) {
  return { name, objectId: SHA, creator: { displayName: 'Mona Lisa' }, url: 'https://dev.azure.com/acme/_apis/x' }
}

const aPullRequest = {
  pullRequestId: 7,
  status: 'active',
  title: 'Show the signal in amber',
  sourceRefName: 'refs/heads/amber',
  targetRefName: 'refs/heads/main',
  mergeStatus: 'succeeded',
  lastMergeSourceCommit: { commitId: SHA },
  lastMergeTargetCommit: { commitId: 'a'.repeat(40) },
}

const aStatus: CommitStatus = {
  repository: NAME,
  commitSha: SHA,
  ref: 'refs/heads/main',
  state: 'success',
  context: 'signalbox/build',
  description: 'The run succeeded.',
  targetUrl: 'https://signalbox.example.com/runs/1',
}
const sent = {
  state: 'succeeded',
  description: 'The run succeeded.',
  targetUrl: 'https://signalbox.example.com/runs/1',
  context: { genre: 'signalbox', name: 'build' },
}
const statusCall = {
  method: 'POST',
  path: `${HERE}/commits/${SHA}/statuses?api-version=7.1`,
  headers,
  body: sent,
} as const

describe('branches', () => {
  test('are listed from every page, by the token that each gives for the next', async (t) => {
    const connection = await connect(t, [
      {
        ...branchesCall,
        reply: {
          status: 200,
          headers: { 'x-ms-continuationtoken': 'feature/b&x=1' },
          body: { count: 3, value: [aRef('refs/heads/main'), aRef('refs/heads/zzz"$(id)'), aRef('refs/tags/v1')] },
        },
      },
      {
        ...branchesCall,
        path: `${branchesCall.path}&continuationToken=feature%2Fb%26x%3D1`,
        reply: {
          status: 200,
          headers: { 'x-ms-continuationtoken': '' },
          body: { count: 1, value: [aRef('refs/heads/old')] },
        },
      },
    ])
    assert.deepEqual(await repositories.listBranches(connection, NAME), {
      outcome: 'found',
      value: ['main', 'zzz"$(id)', 'old'].map((name) => ({ name, commitSha: SHA })),
    })
  })

  test('are asked for as whom the token is', async (t) => {
    const reply = { status: 200, body: { count: 0, value: [] } }
    const jwt = 'eyJ0eXAiOiJKV1QifQ.eyJhdWQiOiJ4In0.c2lnbmF0dXJl'
    for (const [token, authorization] of [
      [TOKEN, basic(`:${TOKEN}`)],
      [`mona:${TOKEN}`, basic(`mona:${TOKEN}`)],
      [jwt, `Bearer ${jwt}`],
      ['', undefined],
    ] as const) {
      const connection = await connect(t, [{ ...branchesCall, headers: { authorization }, reply }], token)
      assert.deepEqual(await repositories.listBranches(connection, NAME), { outcome: 'found', value: [] })
    }
  })
})

describe('a repository', () => {
  test('of another organisation is not found: the same names are another repository here', async (t) => {
    const connection = await connect(t, [])
    for (const other of ['evil/My Project/widgets', 'My Project/widgets', 'acme/widgets', 'acme/a/b/c', 'acme//']) {
      assert.deepEqual(await repositories.listBranches(connection, other), { outcome: 'not_found' }, other)
      assert.deepEqual(await repositories.findPullRequest(connection, other, 7), { outcome: 'not_found' }, other)
      assert.deepEqual(
        await status.report(connection, { ...aStatus, repository: other }),
        { outcome: 'not_found' },
        other,
      )
    }
  })

  test('is asked for whatever the case of its organisation', async (t) => {
    const connection = await connect(t, [{ ...branchesCall, reply: { status: 200, body: { value: [] } } }])
    const answer = await repositories.listBranches(connection, 'ACME/My Project/widgets')
    assert.equal(answer.outcome, 'found')
  })

  test('cannot be asked for where the address is not that of an organisation', async (t) => {
    const double = await openForgeDouble(t, [])
    const answer = await repositories.listBranches(double.connection(TOKEN), NAME)
    assert.ok(answer.outcome === 'failed' && !answer.retry)
    assert.match(answer.reason, /set base_url to one like https:\/\/dev\.azure\.com\/acme\.$/)
  })
})

describe('a pull request', () => {
  const find = async (t: Test, body: unknown) => {
    const connection = await connect(t, [{ ...pullCall, reply: { status: 200, body } }])
    return repositories.findPullRequest(connection, NAME, 7)
  }
  const here = { headSha: SHA, headRef: 'amber', baseRef: 'main', fromFork: false, open: true }

  test('is found as it is now', async (t) => {
    assert.deepEqual(await find(t, aPullRequest), { outcome: 'found', value: here })
    for (const ended of ['completed', 'abandoned']) {
      const answer = await find(t, { ...aPullRequest, status: ended })
      assert.deepEqual(answer, { outcome: 'found', value: { ...here, open: false } })
    }
  })

  test('of a fork says so', async (t) => {
    const answer = await find(t, { ...aPullRequest, forkSource: { name: 'refs/heads/amber', repository: { id: '1' } } })
    assert.deepEqual(answer, { outcome: 'found', value: { ...here, fromFork: true } })
  })
})

describe('a status', () => {
  const report = async (t: Test, given: CommitStatus, body: unknown) => {
    const connection = await connect(t, [{ ...statusCall, body, reply: { status: 201, body: { id: 1 } } }])
    return status.report(connection, given)
  }

  for (const [state, word] of [
    ['pending', 'pending'],
    ['running', 'pending'],
    ['success', 'succeeded'],
    ['failure', 'failed'],
    ['canceled', 'error'],
  ] as const) {
    test(`${state} is told as ${word}`, async (t) => {
      assert.deepEqual(await report(t, { ...aStatus, state }, { ...sent, state: word }), {
        outcome: 'found',
        value: null,
      })
    })
  }

  test('has its context as genre and name', async (t) => {
    await report(t, { ...aStatus, context: 'a/b/c' }, { ...sent, context: { genre: 'a/b', name: 'c' } })
    await report(t, { ...aStatus, context: 'build' }, { ...sent, context: { name: 'build' } })
    await report(t, { ...aStatus, context: '/build' }, { ...sent, context: { name: '/build' } })
  })

  test('has a description of at most 255 characters, none of them cut in half', async (t) => {
    await report(t, { ...aStatus, description: '🚦'.repeat(256) }, { ...sent, description: '🚦'.repeat(255) })
  })
})

describe('what is not an answer', () => {
  const asked: readonly [ExpectedCall, (connection: ForgeConnection) => Promise<unknown>][] = [
    [{ ...branchesCall, reply: 'reset' }, (connection) => repositories.listBranches(connection, NAME)],
    [{ ...pullCall, reply: 'reset' }, (connection) => repositories.findPullRequest(connection, NAME, 7)],
    [{ ...statusCall, reply: 'reset' }, (connection) => status.report(connection, aStatus)],
  ]
  const replies: readonly [string, ForgeDoubleReply, object][] = [
    ['an unknown repository', { status: 404, body: { message: 'TF401019' } }, { outcome: 'not_found' }],
    ['a refused token', { status: 401, body: '' }, failed('The provider refused the credential (401).', false)],
    [
      'a token without the right',
      { status: 403, body: {} },
      failed('The provider refused the credential (403).', false),
    ],
    ['the rate limit', { status: 429, body: {} }, failed('The provider limits the rate of calls.', true)],
    [
      'a page to sign in on',
      { status: 203, headers: { 'content-type': 'text/html' }, body: '<html>' },
      failed('The provider answered something that is not JSON.', false),
    ],
    ['a fault of the server', { status: 503, body: '<html>' }, failed('The provider answered 503.', true)],
  ]
  for (const [name, reply, expected] of replies) {
    test(name, async (t) => {
      for (const [call, ask] of asked)
        assert.partialDeepStrictEqual(await ask(await connect(t, [{ ...call, reply }])), expected)
    })
  }

  test('JSON that nobody documents', async (t) => {
    for (const body of [[], null, 7, { value: 7 }, { lastMergeSourceCommit: { commitId: 'main' } }]) {
      const reply = { status: 200, body: JSON.stringify(body) }
      for (const [call, ask] of asked.slice(0, 2)) {
        const answer = await ask(await connect(t, [{ ...call, reply }]))
        assert.partialDeepStrictEqual(
          answer,
          failed('The provider answered something that it does not document.', false),
        )
      }
    }
  })
})

function failed(reason: string, retry: boolean) {
  return { outcome: 'failed', reason, retry }
}
