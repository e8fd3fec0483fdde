import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSnapshot, type SnapshotData } from './snapshot.ts'

const data: SnapshotData = {
  revision: 7,
  bootstrapRevoked: false,
  users: [
    { id: 'ada', login: 'ada' },
    { id: 'bob', login: 'bob' },
  ],
  serviceAccounts: [{ id: 'ci', teamPath: 'acme', name: 'ci' }],
  groups: [{ id: 'leads', name: 'leads' }],
  members: [{ groupId: 'leads', userId: 'bob' }],
  grants: [
    { role: 'operator', teamPath: 'acme', subjectKind: 'user', subjectId: 'ada' },
    { role: 'viewer', teamPath: 'acme/web', subjectKind: 'group', subjectId: 'leads' },
    { role: 'owner', teamPath: 'acme', subjectKind: 'service_account', subjectId: 'ci' },
    { role: 'owner', teamPath: '/', subjectKind: 'user', subjectId: 'disabled' },
  ],
  scopes: [
    { teamPath: 'acme/web', environment: 'test', protected: false, allowedSubjects: ['user:bob'] },
    { teamPath: 'acme/web', environment: 'production', protected: true, allowedSubjects: ['group:leads'] },
    { teamPath: 'acme/web', environment: 'vault', protected: true, allowedSubjects: ['service_account:ci'] },
  ],
}

const snapshot = createSnapshot(data)
const subject = (kind: 'user' | 'service_account' | 'bootstrap' | 'system', id: string) => {
  const found = snapshot.subject(kind, id)
  assert.ok(found)
  return found
}

describe('a snapshot of who may do what', () => {
  test('knows enabled subjects, and gives a user what the groups have', () => {
    assert.equal(subject('service_account', 'ci').name, 'acme/ci')
    assert.deepEqual(subject('user', 'bob').prefixes('run.read'), ['acme/web'])
    assert.equal(snapshot.subject('user', 'disabled'), undefined)
    assert.equal(snapshot.subject('user', 'ci'), undefined, 'an id of another kind is nobody')
    assert.equal(snapshot.subject('bootstrap', 'other'), undefined)
  })

  test('names the same rights for an owner, and for each of the limits of a token, until the next snapshot', () => {
    const limits = { isReadOnly: true }
    const rightsOf = (of: typeof snapshot, id: string, more?: { readonly limits?: typeof limits }) =>
      of.subject('user', id, more && { id: 'token', name: 'token', ...more })?.rights
    const all = [
      rightsOf(snapshot, 'ada'),
      rightsOf(snapshot, 'bob'),
      rightsOf(snapshot, 'ada', { limits }),
      rightsOf(snapshot, 'ada', { limits: { isReadOnly: true } }),
      rightsOf(createSnapshot(data), 'ada'),
      rightsOf(createSnapshot(data), 'ada', { limits }),
    ]
    assert.equal(new Set(all).size, all.length)
    assert.ok(all.every((rights) => rights !== undefined))
    assert.equal(rightsOf(snapshot, 'ada', {}), all[0])
    assert.equal(rightsOf(snapshot, 'ada', { limits }), all[2])
  })

  test('a scope of a team whose environments somebody may not see looks like one that is not there', () => {
    const judge = (scope: string) => snapshot.judgeScope(subject('user', 'bob'), scope)
    assert.equal(judge('acme/web/production'), 'usable')
    assert.equal(judge('acme/web/vault'), 'forbidden')
    assert.equal(judge('acme/web/none'), 'unknown')
    const stranger = { kind: 'user', id: 'eve', can: () => false } as const
    for (const scope of ['acme/web/vault', 'acme/web/test', 'acme/web/none']) {
      assert.equal(snapshot.judgeScope(stranger, scope), 'unknown', scope)
    }
  })

  test('a scope that is not protected is for those who hold scope.use on its team', () => {
    assert.ok(snapshot.canUseScope(subject('user', 'ada'), 'acme/web/test'))
    assert.equal(snapshot.canUseScope(subject('user', 'bob'), 'acme/web/test'), false, 'a viewer, though named')
  })

  test('a protected one is for those named, itself or through a group, and nobody else', () => {
    assert.ok(snapshot.canUseScope(subject('user', 'bob'), 'acme/web/production'))
    assert.ok(snapshot.canUseScope(subject('service_account', 'ci'), 'acme/web/vault'))
    for (const [kind, id] of [
      ['user', 'ada'],
      ['service_account', 'ci'],
      ['bootstrap', 'bootstrap'],
    ] as const) {
      assert.equal(snapshot.canUseScope(subject(kind, id), 'acme/web/production'), false, id)
    }
  })

  test('says who may use a scope that somebody may not', () => {
    assert.equal(snapshot.whoMayUse('acme/web/production'), 'The scope is protected: only group:leads may use it.')
    assert.equal(
      snapshot.whoMayUse('acme/web/vault'),
      'The scope is protected: only service_account:acme/ci may use it.',
    )
    assert.equal(snapshot.whoMayUse('acme/web/test'), 'The scope takes the permission scope.use on acme/web.')
  })

  test('tells what a subject is called in documents, and whose role it has', () => {
    assert.deepEqual(snapshot.calledBy({ kind: 'user', id: 'bob' }), ['user:bob', 'group:leads'])
    assert.deepEqual(snapshot.calledBy({ kind: 'service_account', id: 'ci' }), ['service_account:acme/ci'])
    assert.deepEqual(snapshot.calledBy({ kind: 'user', id: 'disabled' }), [])
    assert.ok(snapshot.hasRole(subject('service_account', 'ci'), 'operator', 'acme/web'), 'an owner has it too')
    assert.equal(snapshot.hasRole(subject('user', 'bob'), 'operator', 'acme/web'), false)
    assert.equal(snapshot.hasRole(subject('service_account', 'ci'), 'captain', 'acme'), false)
  })

  test('knows whom a document means by a name', () => {
    const meant = (name: string, at = 'acme/web') => snapshot.listNamed(name, at).map(({ id }) => id)
    assert.deepEqual(meant('user:ada'), ['ada'])
    assert.deepEqual(meant('group:leads'), ['bob'])
    assert.deepEqual(meant('service_account:acme/ci'), ['ci'])
    for (const nobody of ['user:adda', 'user:ci', 'user:disabled', 'group:ada', 'service_account:ci', 'role:captain']) {
      assert.deepEqual(meant(nobody), [], nobody)
    }
    assert.deepEqual(meant('role:operator'), ['ada', 'bootstrap'], 'roles are for people')
    assert.deepEqual(meant('role:operator', 'other'), ['bootstrap'])
  })

  test('lists the roles of a subject where they begin', () => {
    assert.deepEqual(snapshot.listRoles(subject('user', 'ada')), [
      { role: 'viewer', teamPath: 'acme' },
      { role: 'operator', teamPath: 'acme' },
    ])
    assert.deepEqual(snapshot.listRoles(subject('user', 'bob')), [{ role: 'viewer', teamPath: 'acme/web' }])
  })

  test('a scope that does not exist is for nobody', () => {
    assert.equal(snapshot.canUseScope(subject('system', 'sweep'), 'acme/web/none'), false)
    assert.equal(snapshot.canUseScope(subject('bootstrap', 'bootstrap'), 'acme/web'), false)
    assert.ok(snapshot.canUseScope(subject('system', 'sweep'), 'acme/web/vault'))
  })

  test('an administrator exists only while one is enabled', () => {
    const grant = { role: 'administrator', teamPath: '/', subjectKind: 'user' } as const
    assert.equal(snapshot.administratorExists, false)
    assert.ok(createSnapshot({ ...data, grants: [{ ...grant, subjectId: 'ada' }] }).administratorExists)
    assert.equal(createSnapshot({ ...data, grants: [{ ...grant, subjectId: 'disabled' }] }).administratorExists, false)
    const byGroup = { ...grant, subjectKind: 'group', subjectId: 'leads' } as const
    assert.ok(createSnapshot({ ...data, grants: [byGroup] }).administratorExists)
  })

  test('the revoked bootstrap token is nobody', () => {
    assert.ok(subject('bootstrap', 'bootstrap').can('setting.write', '/'))
    assert.equal(createSnapshot({ ...data, bootstrapRevoked: true }).subject('bootstrap', 'bootstrap'), undefined)
  })
})
