import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CommitStatus } from '../port.ts'
import { type ExpectedCall, type ForgeDoubleReply, openForgeDouble } from '../testing.ts'
import { repositories } from './repositories.ts'
import { status } from './status.ts'

/** Bitbucket Data Center's API as docs.atlassian.com describes it, on a strict double. */

const SHA = 'b'.repeat(40)
const TOKEN = 'BBDC-token'
const HERE = '/rest/api/latest/projects/ACME/repos/widgets'
const headers = { authorization: `Bearer ${TOKEN}` }
const branchesCall = { method: 'GET', path: `${HERE}/branches?limit=100&start=0`, headers } as const
const pullCall = { method: 'GET', path: `${HERE}/pull-requests/7`, headers } as const

type Test = Parameters<typeof openForgeDouble>[0]

function aBranch(name: string) {
  return {
    id: `refs/heads/${name}`,
    displayId: name,
    type: 'BRANCH',
    latestCommit: SHA,
    latestChangeset: SHA,
    isDefault: false,
  }
}

function anEnd(name: string, latestCommit: string, id: number) {
  const repository = { slug: 'widgets', id, project: { key: 'ACME' } }
  return { id: `refs/heads/${name}`, displayId: name, latestCommit, type: 'BRANCH', repository }
}

const aPullRequest = {
  id: 7,
  version: 1,
  title: 'Show the signal in amber',
  state: 'OPEN',
  open: true,
  closed: false,
  fromRef: anEnd('amber', SHA, 84),
  toRef: anEnd('main', 'a'.repeat(40), 84),
}

const aStatus: CommitStatus = {
  repository: 'ACME/widgets',
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
  ref: 'refs/heads/main',
}
const statusCall = { method: 'POST', path: `${HERE}/commits/${SHA}/builds`, headers, body: sent } as const

describe('branches', () => {
  test('are listed from every page, from where each page says that the next one starts', async (t) => {
    const page = (values: unknown[], more: object) => ({
      status: 200,
      body: { size: values.length, limit: 100, values, ...more },
    })
    const double = await openForgeDouble(t, [
      {
        ...branchesCall,
        reply: page([aBranch('main'), aBranch('feature/zzz"$(id)')], {
          start: 0,
          isLastPage: false,
          nextPageStart: 117,
        }),
      },
      {
        ...branchesCall,
        path: `${HERE}/branches?limit=100&start=117`,
        reply: page([aBranch('old'), { id: 'refs/tags/v1', latestCommit: SHA }, {}], {
          start: 117,
          isLastPage: true,
          nextPageStart: null,
        }),
      },
    ])
    assert.deepEqual(await repositories.listBranches(double.connection(TOKEN), 'ACME/widgets'), {
      outcome: 'found',
      value: ['main', 'feature/zzz"$(id)', 'old'].map((name) => ({ name, commitSha: SHA })),
    })
  })

  test("of a person's own repository, as whom the token is", async (t) => {
    const reply = { status: 200, body: { values: [], isLastPage: true } }
    for (const [token, authorization] of [
      [TOKEN, `Bearer ${TOKEN}`],
      [`x-token-auth:${TOKEN}`, `Bearer ${TOKEN}`],
      ['mona:password', `Basic ${Buffer.from('mona:password').toString('base64')}`],
      [undefined, undefined],
    ] as const) {
      const path = '/rest/api/latest/projects/~MONA/repos/widgets/branches?limit=100&start=0'
      const double = await openForgeDouble(t, [{ method: 'GET', path, headers: { authorization }, reply }])
      const answer = await repositories.listBranches(double.connection(token), '~MONA/widgets')
      assert.deepEqual(answer, { outcome: 'found', value: [] })
    }
  })
})

describe('a pull request', () => {
  const find = async (t: Test, body: unknown) => {
    const double = await openForgeDouble(t, [{ ...pullCall, reply: { status: 200, body } }])
    return repositories.findPullRequest(double.connection(TOKEN), 'ACME/widgets', 7)
  }
  const here = { headSha: SHA, headRef: 'amber', baseRef: 'main', fromFork: false, open: true }

  test('is found as it is now', async (t) => {
    assert.deepEqual(await find(t, aPullRequest), { outcome: 'found', value: here })
    const merged = { ...aPullRequest, state: 'MERGED', open: false, closed: true }
    assert.deepEqual(await find(t, merged), { outcome: 'found', value: { ...here, open: false } })
  })

  test('of another repository, or of one that is not said, is from a fork', async (t) => {
    for (const fromRef of [anEnd('amber', SHA, 85), { ...anEnd('amber', SHA, 84), repository: null }]) {
      const answer = await find(t, { ...aPullRequest, fromRef })
      assert.deepEqual(answer, { outcome: 'found', value: { ...here, fromFork: true } })
    }
  })
})

describe('a status', () => {
  const report = async (t: Test, given: CommitStatus, body: unknown) => {
    const double = await openForgeDouble(t, [{ ...statusCall, body, reply: { status: 204 } }])
    return status.report(double.connection(TOKEN), given)
  }

  for (const [state, word] of [
    ['pending', 'INPROGRESS'],
    ['running', 'INPROGRESS'],
    ['success', 'SUCCESSFUL'],
    ['failure', 'FAILED'],
    ['canceled', 'CANCELLED'],
  ] as const) {
    test(`${state} is told as ${word}`, async (t) => {
      assert.deepEqual(await report(t, { ...aStatus, state }, { ...sent, state: word }), {
        outcome: 'found',
        value: null,
      })
    })
  }

  test('is filed under a branch or a tag, and under nothing else', async (t) => {
    const { ref: _, ...without } = sent
    await report(t, { ...aStatus, ref: 'refs/tags/v1' }, { ...sent, ref: 'refs/tags/v1' })
    await report(t, { ...aStatus, ref: 'refs/pull-requests/7/from' }, without)
    await report(t, { ...aStatus, ref: null }, without)
  })

  test('has texts of at most 255 characters, and a key that no other long one has', async (t) => {
    const context = 'a'.repeat(256)
    const key = '02d7160d77e18c6447be80c2e355c7ed4388545271702c50253b0914c65ce5fe'
    await report(
      t,
      { ...aStatus, context, description: '🚦'.repeat(256) },
      { ...sent, key, name: 'a'.repeat(255), description: '🚦'.repeat(255) },
    )
  })
})

describe('what is not an answer', () => {
  type Ask = (double: Awaited<ReturnType<typeof openForgeDouble>>) => Promise<unknown>
  const asked: readonly [ExpectedCall, Ask][] = [
    [
      { ...branchesCall, reply: 'reset' },
      (double) => repositories.listBranches(double.connection(TOKEN), 'ACME/widgets'),
    ],
    [
      { ...pullCall, reply: 'reset' },
      (double) => repositories.findPullRequest(double.connection(TOKEN), 'ACME/widgets', 7),
    ],
    [{ ...statusCall, reply: 'reset' }, (double) => status.report(double.connection(TOKEN), aStatus)],
  ]
  const errors = { errors: [{ context: null, message: 'No.', exceptionName: null }] }
  const replies: readonly [string, ForgeDoubleReply, object][] = [
    ['an unknown repository', { status: 404, body: errors }, { outcome: 'not_found' }],
    ['a refused token', { status: 401, body: errors }, failed('The provider refused the credential (401).', false)],
    [
      'a token without the right',
      { status: 403, body: errors },
      failed('The provider refused the credential (403).', false),
    ],
    ['the rate limit', { status: 429, body: errors }, failed('The provider limits the rate of calls.', true)],
    ['an unknown commit', { status: 400, body: errors }, failed('The provider answered 400.', false)],
    ['a server that starts', { status: 503, body: '<html>' }, failed('The provider answered 503.', true)],
    ['no JSON', { status: 200, body: '<html>' }, failed('The provider answered something that is not JSON.', false)],
  ]
  for (const [name, reply, expected] of replies) {
    test(name, async (t) => {
      for (const [call, ask] of asked)
        assert.partialDeepStrictEqual(await ask(await openForgeDouble(t, [{ ...call, reply }])), expected)
    })
  }

  test('JSON that nobody documents', async (t) => {
    for (const body of [[], null, 7, { values: 7, fromRef: 7 }, { fromRef: { latestCommit: 'main' } }]) {
      const reply = { status: 200, body: JSON.stringify(body) }
      for (const [call, ask] of asked.slice(0, 2)) {
        const answer = await ask(await openForgeDouble(t, [{ ...call, reply }]))
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
