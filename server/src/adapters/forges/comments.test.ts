import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comments as azureDevops } from './azure-devops/comments.ts'
import { comments as bitbucket } from './bitbucket/comments.ts'
import { comments as bitbucketDatacenter } from './bitbucket-datacenter/comments.ts'
import { comments as gitea } from './gitea/comments.ts'
import { comments as github } from './github/comments.ts'
import { comments as gitlab } from './gitlab/comments.ts'
import { FORGES } from './registry.ts'
import type { ForgeComments } from './telling-port.ts'
import { type ExpectedCall, openForgeDouble } from './testing.ts'

/** Comments of each provider as its documentation describes them, on a strict double. */

const MARKER = '[//]: # (signalbox:8a1c)'
const OURS = `Results\n\n${MARKER}`

interface Dialect {
  readonly comments: ForgeComments
  readonly repository: string
  /** Behind the double's address, where the provider's address has a path. */
  readonly below?: string
  readonly token: string
  readonly authorization: string
  readonly commentId: string
  readonly created: ExpectedCall
  readonly updated: readonly ExpectedCall[]
  /** Two pages: a stranger's comment on the first, ours on the last. */
  readonly listed: readonly ExpectedCall[]
  readonly found: ExpectedCall
  /** What the provider answers for a comment that somebody deleted. */
  readonly deleted: ExpectedCall['reply']
  readonly authorId: string
  readonly reacted: ExpectedCall | undefined
}

const person = (id: number) => ({ id, login: 'mona' })
const at = (path: string, reply: ExpectedCall['reply']) => ({ method: 'GET', path, reply }) as const

function issueDialect(comments: ForgeComments, api: string, authorization: string): Dialect {
  const all = `${api}/repos/acme/widgets/issues/7/comments`
  const own = `${api}/repos/acme/widgets/issues/comments/55`
  const shown = { id: 55, body: OURS, user: person(9), issue_url: 'https://x/repos/acme/widgets/issues/7' }
  return {
    comments,
    repository: 'acme/widgets',
    token: 'secret',
    authorization,
    commentId: '55',
    created: { method: 'POST', path: all, body: { body: OURS }, reply: { status: 201, body: shown } },
    updated: [{ method: 'PATCH', path: own, body: { body: OURS }, reply: { status: 200, body: shown } }],
    listed: [
      at(`${all}?per_page=100`, (url) => ({
        status: 200,
        headers: { link: `<${url}${all}?per_page=100&page=2>; rel="next"` },
        body: [{ id: 1, body: 'first', user: person(3) }],
      })),
      at(`${all}?per_page=100&page=2`, { status: 200, body: [shown] }),
    ],
    found: at(own, { status: 200, body: shown }),
    deleted: { status: 404 },
    authorId: '9',
    reacted: {
      method: 'POST',
      path: `${own}/reactions`,
      body: { content: 'eyes' },
      reply: { status: 201, body: { id: 1 } },
    },
  }
}

function gitlabDialect(): Dialect {
  const all = '/api/v4/projects/acme%2Ftools%2Fwidgets/merge_requests/7/notes'
  const shown = { id: 55, body: OURS, author: person(9) }
  const list = `${all}?sort=asc&order_by=created_at&per_page=100`
  return {
    comments: gitlab,
    repository: 'acme/tools/widgets',
    token: 'secret',
    authorization: 'Bearer secret',
    commentId: '55',
    created: { method: 'POST', path: all, body: { body: OURS }, reply: { status: 201, body: shown } },
    updated: [{ method: 'PUT', path: `${all}/55`, body: { body: OURS }, reply: { status: 200, body: shown } }],
    listed: [
      at(list, (url) => ({
        status: 200,
        headers: { link: `<${url}${list}&page=2>; rel="next"` },
        body: [{ id: 1, body: 'first', author: person(3) }],
      })),
      at(`${list}&page=2`, { status: 200, body: [shown] }),
    ],
    found: at(`${all}/55`, { status: 200, body: shown }),
    deleted: { status: 404 },
    authorId: '9',
    reacted: {
      method: 'POST',
      path: `${all}/55/award_emoji`,
      body: { name: 'eyes' },
      reply: { status: 201, body: { id: 1 } },
    },
  }
}

function bitbucketDialect(): Dialect {
  const all = '/2.0/repositories/acme/widgets/pullrequests/7/comments'
  const uuid = '{6b5f1c0a-0000-4000-8000-000000000009}'
  const shown = { id: 55, content: { raw: OURS }, user: { uuid }, deleted: false }
  const list = `${all}?pagelen=100&sort=created_on`
  const body = { content: { raw: OURS } }
  return {
    comments: bitbucket,
    repository: 'acme/widgets',
    token: 'secret',
    authorization: 'Bearer secret',
    commentId: '55',
    created: { method: 'POST', path: all, body, reply: { status: 201, body: shown } },
    updated: [{ method: 'PUT', path: `${all}/55`, body, reply: { status: 200, body: shown } }],
    listed: [
      at(list, (url) => ({
        status: 200,
        // A deleted comment keeps its place, and nothing of it counts.
        body: { values: [{ ...shown, id: 1, deleted: true }], next: `${url}${list}&page=2` },
      })),
      at(`${list}&page=2`, { status: 200, body: { values: [shown] } }),
    ],
    found: at(`${all}/55`, { status: 200, body: shown }),
    deleted: { status: 200, body: { ...shown, deleted: true } },
    authorId: uuid,
    reacted: undefined,
  }
}

function datacenterDialect(): Dialect {
  const pull = '/rest/api/latest/projects/ACME/repos/widgets/pull-requests/7'
  const shown = { id: 55, version: 0, text: OURS, author: person(9) }
  const list = `${pull}/activities?limit=100&start=`
  return {
    comments: bitbucketDatacenter,
    repository: 'ACME/widgets',
    token: 'secret',
    authorization: 'Bearer secret',
    commentId: '55',
    created: { method: 'POST', path: `${pull}/comments`, body: { text: OURS }, reply: { status: 201, body: shown } },
    updated: [
      at(`${pull}/comments/55`, { status: 200, body: shown }),
      {
        method: 'PUT',
        path: `${pull}/comments/55`,
        body: { text: OURS, version: 0 },
        reply: { status: 200, body: { ...shown, version: 1 } },
      },
    ],
    listed: [
      at(`${list}0`, { status: 200, body: { values: [{ action: 'OPENED' }], isLastPage: false, nextPageStart: 100 } }),
      at(`${list}100`, {
        status: 200,
        body: { values: [{ action: 'COMMENTED', comment: shown }], isLastPage: true },
      }),
    ],
    found: at(`${pull}/comments/55`, { status: 200, body: shown }),
    deleted: { status: 404 },
    authorId: '9',
    reacted: undefined,
  }
}

function azureDialect(): Dialect {
  const all = '/acme/tools/_apis/git/repositories/widgets/pullRequests/7/threads'
  const author = { id: 'd6245f20-2af8-44f4-9451-8107cb2767db', uniqueName: 'mona@example.com' }
  const comment = { id: 1, content: OURS, author }
  const stranger = { id: 3, comments: [{ id: 1, content: 'first', author }], isDeleted: true }
  return {
    comments: azureDevops,
    repository: 'acme/tools/widgets',
    below: '/acme',
    token: 'secret',
    authorization: `Basic ${Buffer.from(':secret').toString('base64')}`,
    commentId: '55/1',
    created: {
      method: 'POST',
      path: `${all}?api-version=7.1`,
      body: { comments: [{ parentCommentId: 0, content: OURS, commentType: 1 }], status: 4 },
      reply: { status: 200, body: { id: 55, comments: [comment] } },
    },
    updated: [
      {
        method: 'PATCH',
        path: `${all}/55/comments/1?api-version=7.1`,
        body: { content: OURS },
        reply: { status: 200, body: comment },
      },
    ],
    listed: [
      at(`${all}?api-version=7.1`, { status: 200, body: { value: [stranger, { id: 55, comments: [comment] }] } }),
    ],
    found: at(`${all}/55/comments/1?api-version=7.1`, { status: 200, body: comment }),
    deleted: { status: 200, body: { id: 1, isDeleted: true } },
    authorId: author.id,
    reacted: undefined,
  }
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  github: issueDialect(github, '/api/v3', 'Bearer secret'),
  gitea: issueDialect(gitea, '/api/v1', 'token secret'),
  gitlab: gitlabDialect(),
  bitbucket: bitbucketDialect(),
  bitbucket_datacenter: datacenterDialect(),
  azure_devops: azureDialect(),
}

for (const [provider, dialect] of Object.entries(DIALECTS)) {
  describe(`comments of ${provider}`, () => {
    const { comments, repository, commentId } = dialect
    const place = { repository, number: 7 }

    async function open(t: Parameters<typeof openForgeDouble>[0], calls: readonly ExpectedCall[]) {
      const headers = { authorization: dialect.authorization }
      const double = await openForgeDouble(
        t,
        calls.map((call) => ({ ...call, headers })),
      )
      const connection = double.connection(dialect.token)
      return { ...connection, baseUrl: `${connection.baseUrl}${dialect.below ?? ''}` }
    }

    test('are written, and the answer names the new one', async (t) => {
      const connection = await open(t, [dialect.created])
      assert.deepEqual(await comments.create(connection, place, OURS), { outcome: 'found', value: commentId })
    })

    test('are edited in place', async (t) => {
      const connection = await open(t, dialect.updated)
      assert.deepEqual(await comments.update(connection, place, commentId, OURS), { outcome: 'found', value: null })
    })

    test('that are gone cannot be edited', async (t) => {
      const [first] = dialect.updated
      assert.ok(first)
      const connection = await open(t, [{ ...first, reply: { status: 404 } }])
      assert.deepEqual(await comments.update(connection, place, commentId, OURS), { outcome: 'not_found' })
    })

    test('are found by their marker, on whatever page', async (t) => {
      const connection = await open(t, dialect.listed)
      const found = await comments.findByMarker(connection, place, MARKER)
      assert.partialDeepStrictEqual(found, {
        outcome: 'found',
        value: { commentId, authorId: dialect.authorId, body: OURS },
      })
    })

    test('without the marker are not ours', async (t) => {
      const connection = await open(t, dialect.listed)
      assert.deepEqual(await comments.findByMarker(connection, place, 'another'), { outcome: 'not_found' })
    })

    test('are read as they are now; a deleted one is not there', async (t) => {
      const connection = await open(t, [dialect.found, { ...dialect.found, reply: dialect.deleted }])
      assert.partialDeepStrictEqual(await comments.find(connection, place, commentId), {
        outcome: 'found',
        value: { commentId, authorId: dialect.authorId, body: OURS },
      })
      assert.deepEqual(await comments.find(connection, place, commentId), { outcome: 'not_found' })
    })

    test('are reacted to, or the provider has no reactions', async (t) => {
      if (!dialect.reacted) return assert.equal(comments.react, null)
      const connection = await open(t, [dialect.reacted])
      assert.deepEqual(await comments.react?.(connection, place, commentId, 'seen'), {
        outcome: 'found',
        value: null,
      })
    })

    test('answered with something undocumented are no comments', async (t) => {
      const connection = await open(t, [{ ...dialect.created, reply: { status: 201, body: ['what'] } }])
      const answer = await comments.create(connection, place, OURS)
      assert.equal(answer.outcome, 'failed')
    })
  })
}

test('the comment of another pull request is not found by its id alone', async (t) => {
  const shown = { id: 55, body: '/run', user: person(9), issue_url: 'https://x/repos/acme/widgets/issues/17' }
  const call = at('/api/v3/repos/acme/widgets/issues/comments/55', { status: 200, body: shown })
  const double = await openForgeDouble(t, [call])
  const place = { repository: 'acme/widgets', number: 7 }
  assert.deepEqual(await github.find(double.connection('secret'), place, '55'), { outcome: 'not_found' })
})

test('every provider with comments is tested here, and Forgejo has those of Gitea', () => {
  const having = FORGES.filter((forge) => forge.comments !== null).map(({ id }) => id)
  assert.deepEqual(having.toSorted(), [...Object.keys(DIALECTS), 'forgejo'].toSorted())
  assert.equal(FORGES.find(({ id }) => id === 'forgejo')?.comments, gitea)
})

for (const [title, comments, api] of [
  ['GitHub', github, '/api/v3'],
  ['Gitea', gitea, '/api/v1'],
] as const) {
  test(`${title} tells whether the words of a comment were changed`, async (t) => {
    const posted = { id: 55, body: OURS, user: person(9), issue_url: 'https://x/repos/acme/widgets/issues/7' }
    const times = [
      [{ created_at: '2026-11-28T10:00:00Z', updated_at: '2026-11-28T10:00:01Z' }, false],
      [{ created_at: '2026-11-28T10:00:00Z', updated_at: '2026-11-28T10:00:03Z' }, true],
      [{ created_at: '2026-11-28T10:00:00Z' }, undefined],
    ] as const
    const path = `${api}/repos/acme/widgets/issues/comments/55`
    const replies = times.map(([time]) => at(path, { status: 200, body: { ...posted, ...time } }))
    const double = await openForgeDouble(t, replies)
    for (const [, isEdited] of times) {
      const place = { repository: 'acme/widgets', number: 7 }
      const found = await comments.find(double.connection('secret'), place, '55')
      assert.equal(found.outcome === 'found' && found.value.isEdited, isEdited)
    }
  })
}
