import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findForge } from './index.ts'
import type { ForgeRepositories } from './port.ts'
import { type ExpectedCall, openForgeDouble } from './testing.ts'

/** The lists of open pull requests of all providers, in the shapes that they document, on a strict double. */

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const UPDATED = '2026-11-28T10:00:00.000Z'

type Test = Parameters<typeof openForgeDouble>[0]

interface Provider {
  readonly id: string
  /** Below the address of the double. */
  readonly base?: string
  readonly repository?: string
  /** The path of the first and of the second page. */
  readonly paths: readonly [string, string]
  /** The answer of a page; the first one says that there is a next one. */
  reply(pulls: readonly unknown[], isLast: boolean, url: string): { headers?: Record<string, string>; body: unknown }
  pull(number: number, given?: { readonly fork?: boolean; readonly sha?: unknown }): Record<string, unknown>
  /** What the provider tells of one; what it leaves out is null. */
  readonly told: { readonly ref: string | null; readonly updatedAt: string | null; readonly head?: object }
}

const person = { id: 9, login: 'mona', username: 'mona', name: 'Mona Lisa' }
const common = (number: number) => ({ number, title: `Pull ${number}`, draft: false, labels: [], user: person })

const github: Provider = {
  id: 'github',
  paths: [
    '/api/v3/repos/acme/widgets/pulls?state=open&sort=updated&direction=desc&per_page=100',
    '/api/v3/repos/acme/widgets/pulls?state=open&page=2',
  ],
  reply: (body, isLast, url) => ({
    body,
    headers: isLast ? {} : { link: `<${url}/api/v3/repos/acme/widgets/pulls?state=open&page=2>; rel="next"` },
  }),
  pull: (number, { fork, sha = B } = {}) => ({
    ...common(number),
    state: 'open',
    updated_at: '2026-11-28T10:00:00Z',
    head: {
      ref: 'topic',
      sha,
      repo: fork ? { id: 2, full_name: 'mona/widgets' } : { id: 1, full_name: 'acme/widgets' },
    },
    base: { ref: 'main', sha: A, repo: { id: 1, full_name: 'acme/widgets' } },
  }),
  told: { ref: 'refs/pull/7/head', updatedAt: UPDATED },
}

const GITEA = '/api/v1/repos/acme/widgets/pulls?state=open&sort=recentupdate&limit=100'

const gitea: Provider = {
  id: 'gitea',
  paths: [`${GITEA}&page=1`, `${GITEA}&page=2`],
  reply: (body, isLast) => ({ body, headers: isLast ? {} : { link: '<http://localhost:3000/x>; rel="next"' } }),
  pull: (number, { fork, sha = B } = {}) => ({
    ...common(number),
    state: 'open',
    updated_at: '2026-11-28T11:00:00+01:00',
    head: fork
      ? { ref: 'topic', sha, repo_id: 2, repo: { id: 2, full_name: 'mona/widgets' } }
      : { ref: 'topic', sha, repo_id: 1, repo: { id: 1, full_name: 'acme/widgets' } },
    base: { ref: 'main', sha: A, repo_id: 1, repo: { id: 1, full_name: 'acme/widgets' } },
  }),
  told: { ref: 'refs/pull/7/head', updatedAt: UPDATED },
}

const GITLAB = '/api/v4/projects/acme%2Fwidgets/merge_requests?state=opened&order_by=updated_at&sort=desc&per_page=100'

const gitlab: Provider = {
  id: 'gitlab',
  paths: [GITLAB, `${GITLAB}&page=2`],
  reply: (body, isLast) => ({ body, headers: { 'x-next-page': isLast ? '' : '2' } }),
  pull: (iid, { fork, sha = B } = {}) => ({
    iid,
    title: `Pull ${iid}`,
    state: 'opened',
    draft: false,
    labels: [],
    author: person,
    sha,
    source_branch: 'topic',
    target_branch: 'main',
    source_project_id: fork ? 2 : 1,
    target_project_id: 1,
    updated_at: '2026-11-28T10:00:00.000Z',
  }),
  told: { ref: 'refs/merge-requests/7/head', updatedAt: UPDATED },
}

const BITBUCKET = '/2.0/repositories/acme/widgets/pullrequests?state=OPEN'

const bitbucket: Provider = {
  id: 'bitbucket',
  paths: [`${BITBUCKET}&sort=-updated_on&pagelen=50`, `${BITBUCKET}&page=2`],
  reply: (values, isLast, url) => ({ body: isLast ? { values } : { values, next: `${url}${BITBUCKET}&page=2` } }),
  pull: (id, { fork, sha = 'b'.repeat(12) } = {}) => ({
    id,
    title: `Pull ${id}`,
    state: 'OPEN',
    draft: false,
    author: { type: 'user', uuid: '{9}', nickname: 'mona', display_name: 'Mona Lisa' },
    updated_on: '2026-11-28T10:00:00.000000+00:00',
    source: {
      branch: { name: 'topic' },
      commit: { hash: sha },
      repository: fork ? { uuid: '{2}', full_name: 'mona/widgets' } : { uuid: '{1}', full_name: 'acme/widgets' },
    },
    destination: {
      branch: { name: 'main' },
      commit: { hash: 'a'.repeat(12) },
      repository: { uuid: '{1}', full_name: 'acme/widgets' },
    },
  }),
  told: { ref: 'refs/heads/topic', updatedAt: UPDATED, head: { sha: null, sha_prefix: 'b'.repeat(12) } },
}

const CENTER = '/rest/api/latest/projects/ACME/repos/widgets/pull-requests?state=OPEN&order=NEWEST&limit=100'

const datacenter: Provider = {
  id: 'bitbucket_datacenter',
  repository: 'ACME/widgets',
  paths: [`${CENTER}&start=0`, `${CENTER}&start=1`],
  reply: (values, isLastPage) => ({ body: { values, isLastPage, ...(isLastPage ? {} : { nextPageStart: 1 }) } }),
  pull: (id, { fork, sha = B } = {}) => ({
    id,
    title: `Pull ${id}`,
    state: 'OPEN',
    draft: false,
    author: { user: { id: 9, name: 'mona', displayName: 'Mona Lisa' } },
    updatedDate: Date.parse(UPDATED),
    fromRef: {
      id: 'refs/heads/topic',
      latestCommit: sha,
      repository: fork
        ? { id: 2, slug: 'widgets', project: { key: 'MONA' } }
        : { id: 1, slug: 'widgets', project: { key: 'ACME' } },
    },
    toRef: { id: 'refs/heads/main', latestCommit: A, repository: { id: 1, slug: 'widgets', project: { key: 'ACME' } } },
  }),
  told: { ref: 'refs/pull-requests/7/from', updatedAt: UPDATED },
}

const AZURE = '/acme/web/_apis/git/repositories/widgets/pullrequests?searchCriteria.status=active&$top=100'

const azure: Provider = {
  id: 'azure_devops',
  base: '/acme',
  repository: 'acme/web/widgets',
  paths: [`${AZURE}&$skip=0&api-version=7.1`, `${AZURE}&$skip=100&api-version=7.1`],
  // Only a full page has a next one.
  reply: (value, isLast) => ({
    body: { value: isLast ? value : [...value, ...Array.from({ length: 99 }, () => ({}))] },
  }),
  pull: (pullRequestId, { fork, sha = B } = {}) => ({
    pullRequestId,
    title: `Pull ${pullRequestId}`,
    status: 'active',
    isDraft: false,
    createdBy: { id: '9', uniqueName: 'mona', displayName: 'Mona Lisa' },
    sourceRefName: 'refs/heads/topic',
    targetRefName: 'refs/heads/main',
    lastMergeSourceCommit: { commitId: sha },
    lastMergeTargetCommit: { commitId: A },
    ...(fork ? { forkSource: { repository: { name: 'widgets', project: { name: 'fork' } } } } : {}),
  }),
  told: { ref: 'refs/pull/7/merge', updatedAt: null },
}

function repositoriesOf({ id }: Provider): ForgeRepositories {
  const found = findForge(id)?.repositories
  assert.ok(found)
  return found
}

async function list(t: Test, provider: Provider, replies: readonly ExpectedCall['reply'][]) {
  const calls = replies.map((reply, at): ExpectedCall => ({ method: 'GET', path: provider.paths[at] ?? '', reply }))
  const double = await openForgeDouble(t, calls)
  const connection = { ...double.connection('secret'), baseUrl: `${double.url}${provider.base ?? ''}` }
  return repositoriesOf(provider).listOpenPulls(connection, provider.repository ?? 'acme/widgets')
}

for (const provider of [github, gitea, { ...gitea, id: 'forgejo' }, gitlab, bitbucket, datacenter, azure]) {
  describe(`open pull requests of ${provider.id}`, () => {
    const page = (pulls: readonly unknown[], isLast: boolean) => (url: string) => ({
      status: 200,
      ...provider.reply(pulls, isLast, url),
    })

    test('are listed from every page, with their ends, author and time', async (t) => {
      const answer = await list(t, provider, [page([provider.pull(7)], false), page([provider.pull(3)], true)])
      assert.ok(answer.outcome === 'found', JSON.stringify(answer))
      const [first, second, ...more] = answer.value
      assert.deepEqual([second?.pullRequest.number, more.length], [3, 0])
      const { head, ref, updatedAt } = { head: { sha: B }, ...provider.told }
      assert.deepEqual([first?.ref, first?.updatedAt], [ref, updatedAt])
      assert.partialDeepStrictEqual(first?.pullRequest, {
        number: 7,
        title: 'Pull 7',
        draft: false,
        head: { ref: 'topic', ...head },
        base: { ref: 'main' },
        from_fork: false,
        merged: false,
      })
      assert.equal(first?.pullRequest.author?.id?.replace(/[{}]/g, ''), '9')
    })

    test('of forks say so', async (t) => {
      const answer = await list(t, provider, [page([provider.pull(7, { fork: true })], true)])
      assert.ok(answer.outcome === 'found')
      assert.equal(answer.value[0]?.pullRequest.from_fork, true)
      assert.notEqual(answer.value[0]?.pullRequest.head.repository, provider.repository ?? 'acme/widgets')
    })

    test('without a number or a head are left out', async (t) => {
      const broken = [provider.pull(0), provider.pull(8, { sha: 'main' }), provider.pull(9, { sha: null }), 7, null]
      const answer = await list(t, provider, [page([...broken, provider.pull(7)], true)])
      assert.ok(answer.outcome === 'found')
      assert.deepEqual(
        answer.value.map(({ pullRequest }) => pullRequest.number),
        [7],
      )
    })

    test('that are no list, are refused, or cannot be had are no empty list', async (t) => {
      const cases: readonly [ExpectedCall['reply'], RegExp | 'not_found'][] = [
        [{ status: 200, body: { message: 'hello' } }, /does not document/],
        [{ status: 404, body: {} }, 'not_found'],
        [{ status: 401, body: {} }, /refused the credential/],
        [{ status: 502, body: '<html>' }, /answered 502/],
        [{ status: 301, headers: { location: 'https://evil.example/' }, body: {} }, /redirects/],
        ['reset', /could not be reached/],
      ]
      for (const [reply, expected] of cases) {
        const answer = await list(t, provider, [reply])
        if (expected === 'not_found') assert.deepEqual(answer, { outcome: 'not_found' })
        else assert.match(answer.outcome === 'failed' ? answer.reason : answer.outcome, expected)
      }
    })
  })
}

test('Gogs has no list that names commits, and is not asked', async (t) => {
  const double = await openForgeDouble(t, [])
  const repositories = findForge('gogs')?.repositories
  assert.ok(repositories)
  const answer = await repositories.listOpenPulls(double.connection('secret'), 'acme/widgets')
  assert.match(answer.outcome === 'failed' ? answer.reason : '', /^Gogs has no API .*\.$/)
})
