import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forgejo } from '../forgejo/index.ts'
import { gogs } from '../gogs/index.ts'
import type { CommitStatus, Forge } from '../port.ts'
import { type ExpectedCall, openForgeDouble } from '../testing.ts'
import { gitea } from './index.ts'

/** The API of Gitea, which Forgejo and, in part, Gogs share, on a strict double. The contract test covers errors. */

const SHA = 'b'.repeat(40)
const BRANCHES = { method: 'GET', path: '/api/v1/repos/acme/widgets/branches?limit=100&page=1' } as const
const PULL = { method: 'GET', path: '/api/v1/repos/acme/widgets/pulls/7' } as const
const STATUS = { method: 'POST', path: `/api/v1/repos/acme/widgets/statuses/${SHA}` } as const

function aBranch(name: string, id: string) {
  const person = { name: 'Mona Lisa', email: 'mona@example.com', username: 'mona' }
  const commit = { id, message: 'Turn the signal to green\n', url: '', author: person, committer: person }
  return {
    name,
    commit,
    protected: false,
    required_approvals: 0,
    enable_status_check: false,
    status_check_contexts: [],
  }
}

function aPullRequest(head: object = {}) {
  const repo = { id: 140, full_name: 'acme/widgets' }
  return {
    id: 31,
    number: 7,
    state: 'open',
    title: 'Show the signal in amber',
    merged: false,
    base: { label: 'main', ref: 'main', sha: 'a'.repeat(40), repo_id: 140, repo },
    head: { label: 'patch-1', ref: 'patch-1', sha: SHA, repo_id: 140, repo, ...head },
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

function repositoriesOf({ repositories }: Forge) {
  assert.ok(repositories)
  return repositories
}

function statusOf({ status }: Forge) {
  assert.ok(status)
  return status
}

describe('branches', () => {
  for (const forge of [gitea, forgejo, gogs]) {
    test(`of ${forge.title} are listed from every page; what the links name as its address does not count`, async (t) => {
      const headers = { authorization: 'token secret' }
      const link = '<http://localhost:3000/api/v1/repos/acme/widgets/branches?limit=50&page=2>; rel="next"'
      const double = await openForgeDouble(t, [
        {
          ...BRANCHES,
          headers,
          reply: { status: 200, headers: { link }, body: [aBranch('main', SHA), aBranch('a/b', 'c'.repeat(40))] },
        },
        {
          method: 'GET',
          path: '/api/v1/repos/acme/widgets/branches?limit=100&page=2',
          headers,
          reply: {
            status: 200,
            headers: { link: link.replace('next', 'prev') },
            body: [aBranch('old', 'd'.repeat(40)), { name: 'broken', commit: null }],
          },
        },
      ])
      const found = await repositoriesOf(forge).listBranches(double.connection('secret'), 'acme/widgets')
      assert.deepEqual(found, {
        outcome: 'found',
        value: [
          { name: 'main', commitSha: SHA },
          { name: 'a/b', commitSha: 'c'.repeat(40) },
          { name: 'old', commitSha: 'd'.repeat(40) },
        ],
      })
    })
  }

  const ask = async (
    t: Parameters<typeof openForgeDouble>[0],
    forge: Forge,
    token: string | undefined,
    sent: unknown,
  ) => {
    const headers = { authorization: typeof sent === 'string' ? sent : undefined }
    const double = await openForgeDouble(t, [{ ...BRANCHES, headers, reply: { status: 200, body: [] } }])
    const found = await repositoriesOf(forge).listBranches(double.connection(token), 'acme/widgets')
    assert.deepEqual(found, { outcome: 'found', value: [] })
  }

  test('are asked for as user:token by HTTP Basic at Gitea and Forgejo, by the token alone at Gogs', async (t) => {
    const basic = `Basic ${Buffer.from('bot:secret').toString('base64')}`
    await ask(t, gitea, 'bot:secret', basic)
    await ask(t, forgejo, 'bot:secret', basic)
    await ask(t, gogs, 'bot:secret', 'token secret')
  })

  test('are asked for anonymously without a token', async (t) => {
    for (const forge of [gitea, forgejo, gogs]) await ask(t, forge, undefined, undefined)
  })
})

describe('a pull request', () => {
  const CASES: readonly [string, object, { headRef: string | null; fromFork: boolean }][] = [
    ['of a branch of the repository', {}, { headRef: 'patch-1', fromFork: false }],
    ['of a fork', { repo_id: 990, repo: { id: 990 } }, { headRef: 'patch-1', fromFork: true }],
    ['of a fork that is gone', { ref: 'refs/pull/7/head', repo_id: -1, repo: null }, { headRef: null, fromFork: true }],
    ['that was pushed to refs/for', { label: '', ref: 'refs/pull/7/head' }, { headRef: null, fromFork: true }],
  ]
  for (const forge of [gitea, forgejo]) {
    for (const [name, head, expected] of CASES) {
      test(`${name} is found at ${forge.title} as it is now`, async (t) => {
        const reply = { status: 200, body: aPullRequest(head) }
        const double = await openForgeDouble(t, [{ ...PULL, headers: { authorization: 'token secret' }, reply }])
        const found = await repositoriesOf(forge).findPullRequest(double.connection('secret'), 'acme/widgets', 7)
        assert.deepEqual(found, { outcome: 'found', value: { headSha: SHA, baseRef: 'main', open: true, ...expected } })
      })
    }
  }

  test('of Gogs is not asked for: no answer of it would name the commit', async (t) => {
    const double = await openForgeDouble(t, [])
    const found = await repositoriesOf(gogs).findPullRequest(double.connection('secret'), 'acme/widgets', 7)
    assert.ok(found.outcome === 'failed' && !found.retry)
    assert.match(found.reason, /^Gogs has no API .*\.$/)
  })
})

describe('a status', () => {
  for (const forge of [gitea, forgejo]) {
    for (const [state, word] of [
      ['pending', 'pending'],
      ['running', 'pending'],
      ['success', 'success'],
      ['failure', 'failure'],
      ['canceled', 'error'],
    ] as const) {
      test(`${state} is told ${forge.title} as ${word}`, async (t) => {
        const body = {
          state: word,
          target_url: aStatus.targetUrl,
          description: aStatus.description,
          context: aStatus.context,
        }
        const double = await openForgeDouble(t, [
          { ...STATUS, headers: { authorization: 'token secret' }, body, reply: { status: 201, body: { id: 1 } } },
        ])
        const told = await statusOf(forge).report(double.connection('secret'), { ...aStatus, state })
        assert.deepEqual(told, { outcome: 'found', value: null })
      })
    }
  }

  test('cannot be told Gogs', () => assert.equal(gogs.status, null))
})

describe('what is not an answer', () => {
  const REPLIES: readonly [string, ExpectedCall['reply'], RegExp | 'not_found', boolean][] = [
    ['an unknown repository', { status: 404, body: { message: 'Not found' } }, 'not_found', false],
    ['a refused token', { status: 401, body: { message: 'invalid token' } }, /refused the credential \(401\)/, false],
    ['a token without its scope', { status: 403, body: {} }, /refused the credential \(403\)/, false],
    ['too many calls', { status: 429, body: {} }, /limits the rate/, true],
    ['a fault of the server', { status: 500, body: {} }, /answered 500/, true],
    ['no JSON', { status: 200, body: '<html>' }, /not JSON/, false],
    ['another JSON', { status: 200, body: '{}' }, /does not document/, false],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' }, body: {} }, /redirects/, false],
    ['a broken connection', 'reset', /could not be reached/, true],
  ]
  for (const [name, reply, expected, retry] of REPLIES) {
    test(name, async (t) => {
      const double = await openForgeDouble(t, [
        { ...BRANCHES, reply },
        { ...PULL, reply },
      ])
      const connection = double.connection('secret')
      for (const answer of [
        await repositoriesOf(gitea).listBranches(connection, 'acme/widgets'),
        await repositoriesOf(gitea).findPullRequest(connection, 'acme/widgets', 7),
      ]) {
        if (expected === 'not_found') {
          assert.deepEqual(answer, { outcome: 'not_found' })
          continue
        }
        assert.ok(answer.outcome === 'failed', JSON.stringify(answer))
        assert.match(answer.reason, expected)
        assert.doesNotMatch(answer.reason, /secret|127\.0\.0\.1/)
        assert.equal(answer.retry, retry)
      }
    })
  }
})
