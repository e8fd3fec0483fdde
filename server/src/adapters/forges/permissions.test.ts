import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Person, Provider } from '@signalbox/contracts/event'
import { findForge } from './registry.ts'
import { type ExpectedCall, openForgeDouble } from './testing.ts'

/** The permissions of a person in each provider's API, as documented, on a strict double. */

const UUID = '{c788b2da-b7a2-404c-9e26-d3f077557007}'
const REPOSITORY = 'acme/widgets'
const mona: Person = { id: '1', login: 'mona', name: null, email: null, bot: null }

interface Documented {
  readonly path: string
  readonly person: Person
  readonly authorization: string
  /** The body for somebody with that permission. */
  readonly bodyOf: (permission: string) => unknown
  readonly writing: readonly string[]
  readonly reading: readonly string[]
  /** About somebody else. */
  readonly other: unknown
}

const collaborator = (permission: string, id = 1) => ({
  permission,
  role_name: permission,
  user: { id, login: 'mona' },
})
const users = 'filter=mona&limit=100&permission.1=REPO_WRITE&permission.1.projectKey=acme'

const PROVIDERS: Readonly<Partial<Record<Provider, Documented>>> = {
  github: {
    path: '/api/v3/repos/acme/widgets/collaborators/mona/permission',
    person: mona,
    authorization: 'Bearer secret',
    bodyOf: collaborator,
    writing: ['write', 'admin'],
    reading: ['read', 'none'],
    other: collaborator('admin', 2),
  },
  gitea: {
    path: '/api/v1/repos/acme/widgets/collaborators/mona/permission',
    person: mona,
    authorization: 'token secret',
    bodyOf: collaborator,
    writing: ['write', 'admin', 'owner'],
    reading: ['read', 'none'],
    other: collaborator('owner', 2),
  },
  gitlab: {
    path: '/api/v4/projects/acme%2Fwidgets/members/all/1',
    person: mona,
    authorization: 'Bearer secret',
    bodyOf: (level) => ({ id: 1, username: 'mona', state: 'active', access_level: Number(level) }),
    writing: ['30', '40', '50'],
    reading: ['0', '5', '10', '20'],
    other: { id: 1, username: 'mona', state: 'blocked', access_level: 50 },
  },
  bitbucket: {
    path: `/2.0/workspaces/acme/permissions/repositories/widgets?q=${encodeURIComponent(`user.uuid="${UUID}"`)}`,
    person: { ...mona, id: UUID },
    authorization: 'Bearer secret',
    bodyOf: (permission) => ({ values: [{ permission, user: { uuid: UUID } }] }),
    writing: ['write', 'admin'],
    reading: ['read'],
    other: { values: [{ permission: 'admin', user: { uuid: '{00000000-0000-0000-0000-000000000000}' } }] },
  },
  bitbucket_datacenter: {
    path: `/rest/api/latest/users?${users}&permission.1.repositorySlug=widgets`,
    person: mona,
    authorization: 'Bearer secret',
    bodyOf: (permission) => ({ values: permission === 'listed' ? [{ id: 1, name: 'mona' }] : [] }),
    writing: ['listed'],
    reading: ['not listed'],
    other: { values: [{ id: 2, name: 'mona-lisa' }] },
  },
}

function permissionOf(provider: string) {
  const find = findForge(provider)?.repositories?.findPermission
  assert.ok(find)
  return find
}

for (const [provider, documented] of Object.entries(PROVIDERS)) {
  const { path, person, authorization, bodyOf, writing, reading, other } = documented
  const call = (reply: ExpectedCall['reply']): ExpectedCall => ({
    method: 'GET',
    path,
    headers: { authorization },
    reply,
  })
  describe(`the permission of somebody at ${provider}`, () => {
    for (const permission of [...writing, ...reading]) {
      const mayWrite = writing.includes(permission)
      test(`${permission} ${mayWrite ? 'lets them write' : 'does not let them write'}`, async (t) => {
        const double = await openForgeDouble(t, [call({ status: 200, body: bodyOf(permission) })])
        const answer = await permissionOf(provider)(double.connection('secret'), REPOSITORY, person)
        assert.ok(answer.outcome === 'found', JSON.stringify(answer))
        assert.equal(answer.value.mayWrite, mayWrite)
      })
    }

    test('is never that of somebody else, of nobody, or what the provider does not document', async (t) => {
      const replies = [{ status: 200, body: other }, { status: 404 }, { status: 200, body: [] }, { status: 403 }]
      const double = await openForgeDouble(t, replies.map(call))
      for (const _ of replies) {
        const answer = await permissionOf(provider)(double.connection('secret'), REPOSITORY, person)
        assert.ok(answer.outcome !== 'found' || !answer.value.mayWrite, JSON.stringify(answer))
      }
      const nobody = { ...mona, id: null, login: null }
      const answer = await permissionOf(provider)(double.connection('secret'), REPOSITORY, nobody)
      assert.deepEqual(answer, { outcome: 'not_found' })
    })
  })
}

test('is asked of no provider whose API does not tell all of it', () => {
  for (const provider of ['gogs', 'azure_devops']) {
    assert.equal(findForge(provider)?.repositories?.findPermission, null)
  }
})
