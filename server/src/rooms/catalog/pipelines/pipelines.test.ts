import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Caller } from '#platform/http'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator, testCaller } from '#platform/testing'
import { profiles } from '#rooms/catalog/profiles'
import { aSnapshot, openFoundation } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment, aTeam } from '../../foundation/teams/testing.ts'
import { aProfile } from '../profiles/testing.ts'
import { pipelines } from './index.ts'
import { aDocument, aLargeDocument, aPipeline, NOTHING_ABOVE } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const db = database.kysely
const foundation = await openFoundation(kit)
const profiling = await profiles.open(kit, foundation)
const people = aSnapshot({
  users: ['ada', 'eve'].map((login) => ({ id: login, login })),
  groups: ['leads', 'strangers', 'nobody'].map((name) => ({ id: name, name })),
  members: [
    { groupId: 'leads', userId: 'ada' },
    { groupId: 'strangers', userId: 'eve' },
  ],
  grants: [{ subjectKind: 'user', subjectId: 'ada', role: 'viewer', teamPath: 'acme' }],
})
/** Scopes that a caller may use are those of teams in which it may do everything. */
const access = {
  ...foundation.access,
  async judgeScope(caller: Caller, scope: string) {
    const teamPath = scope.replace(/\/[^/]*$/, '')
    const exists = (await foundation.teams.resolveScope(db, scope)) !== undefined
    if (exists && caller.can('scope.use', teamPath)) return 'usable'
    return exists && caller.can('environment.read', teamPath) ? 'forbidden' : 'unknown'
  },
  snapshot: async () => people,
}
const needs = { ...foundation, access, profiles: profiling.door, above: NOTHING_ABOVE }
const piping = await pipelines.open(kit, needs)
const http = await createTestHttp(
  [...(piping.routes ?? []), ...(profiling.routes ?? []), ...foundation.routes],
  testAuthenticator({
    admin: testCaller(),
    editor: testCaller({ acme: ['pipeline.read', 'pipeline.write'] }),
    viewer: testCaller({ acme: ['pipeline.read'] }),
    seer: testCaller({ acme: ['pipeline.read', 'environment.read'] }),
    stranger: testCaller({ other: ['*'] }),
  }),
)
for (const path of ['acme/web', 'other']) await aTeam(db, path)
await aSecret(kit, db, { teamPath: 'acme', name: 'npm', value: 's3cret' })
await aSecret(kit, db, { teamPath: 'other', name: 'npm', value: 's3cret' })
await aProfile(db, 'acme/node24')
after(async () => {
  await http.close(100)
  await piping.close?.()
  await foundation.close()
})

interface Sent {
  readonly as?: string
  readonly ifMatch?: string
  readonly type?: string
}

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: string | object,
  sent: Sent = {},
) {
  const headers = {
    authorization: `Bearer ${sent.as ?? 'admin'}`,
    ...(sent.ifMatch ? { 'if-match': sent.ifMatch } : {}),
    ...(sent.type ? { 'content-type': sent.type } : {}),
  }
  const response = await http.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return { status: response.statusCode, headers: response.headers, body: response.body ? response.json() : undefined }
}

const yaml = { type: 'application/yaml' }
const create = (name: string, more = '') =>
  call('POST', '/v1/pipelines', { team_path: 'acme/web', document: aDocument(name, more) })

describe('a pipeline', () => {
  test('is created, read, saved again, and deleted; each save is a version', async () => {
    const created = await create('build')
    assert.equal(created.status, 201)
    assert.equal(created.headers.location, `/v1/pipelines/${created.body.id}`)
    assert.deepEqual([created.body.identifier, created.body.version], ['acme/web/build', 1])
    const read = await call('GET', '/v1/pipelines/acme%2Fweb%2Fbuild')
    assert.equal(read.body.document, aDocument('build'))
    assert.equal(read.headers.etag, '"1"')
    const saved = await call('PUT', `/v1/pipelines/${read.body.id}`, read.body, { ifMatch: '"1"' })
    assert.deepEqual([saved.status, saved.body.version, saved.headers.etag], [200, 2, '"2"'])
    const versions = await call('GET', `/v1/pipelines/${read.body.id}/versions`)
    assert.deepEqual(
      versions.body.map((item: { version: number }) => item.version),
      [2, 1],
    )
    const first = await call('GET', '/v1/pipelines/acme%2Fweb%2Fbuild/versions/1')
    assert.deepEqual([first.body.document, first.body.saved_by], [aDocument('build'), 'tester'])
    assert.equal((await call('GET', '/v1/pipelines/acme%2Fweb%2Fbuild/versions/3')).status, 404)
    assert.equal((await call('DELETE', `/v1/pipelines/${read.body.id}`)).status, 204)
    assert.equal((await call('GET', `/v1/pipelines/${read.body.id}`)).status, 404)
    assert.equal((await call('DELETE', `/v1/pipelines/${read.body.id}`)).status, 404)
    const trail = await call('GET', `/v1/audit?resource=pipeline:${read.body.id}`)
    assert.deepEqual(
      trail.body.map((entry: { action: string }) => entry.action),
      ['pipeline.deleted', 'pipeline.updated', 'pipeline.created'],
    )
    const again = await create('build')
    assert.deepEqual([again.status, again.body.version], [201, 1])
    assert.notEqual(again.body.id, read.body.id)
  })

  test('may come as YAML itself', async () => {
    const created = await call('POST', '/v1/pipelines?team_path=acme/web', aDocument('plain'), yaml)
    assert.equal(created.status, 201)
    const saved = await call('PUT', '/v1/pipelines/acme%2Fweb%2Fplain', aDocument('plain', 'timeout: 1h\n'), yaml)
    assert.equal(saved.body.document, aDocument('plain', 'timeout: 1h\n'))
    const lost = await call('POST', '/v1/pipelines', aDocument('plain'), yaml)
    assert.deepEqual([lost.status, lost.body.errors[0].field], [400, 'team_path'])
  })

  test('names profiles and secrets that its team may use', async () => {
    const more = 'profile: node24\nsecrets: { NPM: acme/npm }\nvariables: { A: "1" }\n'
    const created = await create('whole', more)
    assert.equal(created.status, 201)
    assert.equal(created.body.profile, 'node24')
    const resolved = await piping.door.resolveForRun(db, 'acme/web/whole')
    assert.equal(resolved?.profile, 'acme/node24')
    assert.deepEqual(resolved?.secrets, [{ name: 'NPM', path: 'acme/npm' }])
    assert.deepEqual(resolved?.references, [
      { kind: 'profile', target: 'node24', directive: 'profile' },
      { kind: 'secret', target: 'acme/npm', directive: 'secrets.NPM' },
    ])
    assert.deepEqual(resolved?.variables, { A: '1' })
    assert.equal(resolved?.graph.steps[0]?.name, 'test')
  })

  test('that is not sound is refused with every error, its directive and its place', async () => {
    const document =
      'name: bad\nsecrets:\n  A: other/npm\n  B: acme/web/none\nprofile: none\n' + aDocument('x').slice(8)
    const refused = await call('POST', '/v1/pipelines', { team_path: 'acme/web', document })
    assert.deepEqual([refused.status, refused.body.code], [400, 'pipeline.invalid'])
    assert.deepEqual(
      refused.body.errors.map(({ field, message }: { field: string; message: string }) => [
        field,
        /^line \d+, column \d+/.exec(message)?.[0],
      ]),
      [
        ['secrets.A', 'line 3, column 6'],
        ['secrets.B', 'line 4, column 6'],
        ['profile', 'line 5, column 10'],
      ],
    )
    const cycle = aDocument('bad').replace('tasks:', 'depends_on: [test]\n    tasks:').replace('run:', 'ruin:')
    const several = await call('POST', '/v1/pipelines?team_path=acme/web', cycle, yaml)
    assert.equal(several.status, 400)
    assert.ok(several.body.errors.length >= 2)
  })

  test('keeps its name and its team', async () => {
    await create('fixed')
    const url = '/v1/pipelines/acme%2Fweb%2Ffixed'
    const renamed = await call('PUT', url, { document: aDocument('other') })
    assert.deepEqual([renamed.status, renamed.body.errors[0].field], [400, 'name'])
    const moved = await call('PUT', url, { document: aDocument('fixed'), team_path: 'other' })
    assert.deepEqual([moved.status, moved.body.errors[0].field], [400, 'team_path'])
    assert.equal((await call('PUT', `${url}?team_path=other`, aDocument('fixed'), yaml)).status, 400)
  })

  test('does not change under a writer who read an older version', async () => {
    const { body } = await create('raced')
    const url = `/v1/pipelines/${body.id}`
    const save = () => call('PUT', url, { document: aDocument('raced') }, { ifMatch: '"1"' })
    const statuses = (await Promise.all([save(), save(), save()])).map((response) => response.status)
    assert.deepEqual(statuses.sort(), [200, 409, 409])
    assert.equal((await call('DELETE', url, undefined, { ifMatch: '"1"' })).status, 409)
    const writes = await Promise.all([1, 2, 3].map(() => call('PUT', url, { document: aDocument('raced') })))
    assert.deepEqual(writes.map((response) => response.body.version).sort(), [3, 4, 5])
  })

  test('of a name that is taken is 409, also of two at the same time', async () => {
    const both = await Promise.all([create('taken'), create('taken')])
    assert.deepEqual(both.map((response) => response.status).sort(), [201, 409])
    assert.equal((await create('taken')).body.code, 'pipeline.name_taken')
  })

  test('is for those who may: 401, 403, 404', async () => {
    const { body } = await create('guarded')
    const url = `/v1/pipelines/${body.id}`
    const document = aDocument('guarded')
    assert.equal((await call('GET', url, undefined, { as: 'nobody' })).status, 401)
    assert.equal((await call('POST', '/v1/pipelines', { team_path: 'acme', document }, { as: 'viewer' })).status, 403)
    assert.equal((await call('PUT', url, { document }, { as: 'viewer' })).status, 403)
    assert.equal((await call('DELETE', url, undefined, { as: 'viewer' })).status, 403)
    for (const path of [url, `${url}/versions`, `${url}/versions/1`]) {
      assert.equal((await call('GET', path, undefined, { as: 'viewer' })).status, 200, path)
      assert.equal((await call('GET', path, undefined, { as: 'stranger' })).status, 404, path)
    }
    assert.equal((await call('PUT', url, { document }, { as: 'stranger' })).status, 404)
    assert.equal((await call('DELETE', url, undefined, { as: 'stranger' })).status, 404)
  })

  test('of a team that does not exist is 400', async () => {
    const refused = await call('POST', '/v1/pipelines', { team_path: 'nobody', document: aDocument('x') })
    assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'team_path'])
  })
})

describe('bad input', () => {
  const documents: Readonly<Record<string, string>> = {
    empty: '',
    'a scalar': 'x',
    truncated: 'name: [',
    'duplicate keys': 'name: a\nname: b\n',
    'an escaped NUL': aDocument('nul').replace('npm test', '"a\\0b"'),
    'half a surrogate pair': aDocument('half').replace('npm test', '"\\ud800"'),
    'a NUL': aDocument('nul').replace('npm', 'n\0pm'),
    'a bomb': `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
    'deep nesting': '['.repeat(50_000),
    'too large': `# ${'x'.repeat(262_144)}\n${aDocument('large')}`,
    'a hostile name': aDocument('../../etc'),
    'a proto': `${aDocument('proto')}__proto__: { a: 1 }\n`,
  }
  for (const [what, document] of Object.entries(documents)) {
    test(`${what} is a clear 400, and a validation that says so`, async () => {
      for (const payload of [document, { team_path: 'acme', document }]) {
        const sent = typeof payload === 'string' ? yaml : {}
        if (typeof payload === 'object' && document.includes('\0')) continue
        const refused = await call('POST', '/v1/pipelines?team_path=acme', payload, sent)
        assert.equal(refused.status, 400, JSON.stringify(refused.body))
        assert.ok(refused.body.errors.length > 0)
        const { status, body } = await call('POST', '/v1/pipelines/validate?team_path=acme', payload, sent)
        assert.deepEqual([status, body.valid], [200, false])
        assert.ok(body.errors[0].line >= 1 && body.errors[0].column >= 1 && body.errors[0].code !== '')
      }
    })
  }

  test('bodies of the wrong shape are 400 and name the field; of the wrong type 415', async () => {
    const bad: readonly (readonly [string, unknown])[] = [
      ['document', { team_path: 'acme' }],
      ['team_path', { document: 'x' }],
      ['document', { team_path: 'acme', document: 1 }],
      ['colour', { team_path: 'acme', document: 'x', colour: 1 }],
      ['team_path', { team_path: 'ACME', document: 'x' }],
    ]
    for (const [field, payload] of bad) {
      const { status, body } = await call('POST', '/v1/pipelines', JSON.stringify(payload), {
        type: 'application/json',
      })
      assert.deepEqual([status, body.errors?.[0].field], [400, field], JSON.stringify(body))
    }
    assert.equal((await call('POST', '/v1/pipelines', '"name: x"', { type: 'application/json' })).status, 400)
    assert.equal((await call('POST', '/v1/pipelines', 'x', { type: 'text/plain' })).status, 415)
    const twice = await call('POST', '/v1/pipelines?team_path=other', { team_path: 'acme', document: aDocument('x') })
    assert.deepEqual([twice.status, twice.body.errors[0].field], [400, 'team_path'])
    assert.equal((await call('POST', '/v1/pipelines?colour=1', aDocument('x'), yaml)).status, 400)
    assert.equal((await call('PUT', '/v1/pipelines/acme%2Fnone', { document: aDocument('none') })).status, 404)
  })

  test('a path that can name none is 400 or 404, never more', async () => {
    for (const id of ['%00', '..%2f..', "x'--", '%F0%9F%98%80', 'a%2Fb%2F', 'a'.repeat(900), '%ff', '1']) {
      for (const path of [`/v1/pipelines/${id}`, `/v1/pipelines/${id}/versions`, `/v1/pipelines/${id}/versions/1`]) {
        const { status } = await call('GET', path)
        assert.ok([400, 404, 414].includes(status), `${path}: ${status}`)
      }
    }
    for (const version of ['0', '-1', 'x', '1.5', '99999999999']) {
      assert.equal((await call('GET', `/v1/pipelines/acme%2Fx/versions/${version}`)).status, 400, version)
    }
  })
})

describe('validation', () => {
  const validate = (payload: object, as = 'admin') => call('POST', '/v1/pipelines/validate', payload, { as })

  test('answers 200 in any case, and saves nothing', async () => {
    const document = aDocument('unsaved', 'secrets: { A: acme/none }\nprofile: none\n')
    const alone = await validate({ document })
    assert.deepEqual([alone.status, alone.body.valid, alone.body.errors], [200, true, []])
    const placed = await validate({ document, team_path: 'acme' })
    assert.equal(placed.body.valid, false)
    assert.deepEqual(
      placed.body.errors.map(({ code, directive, line, column }: Record<string, unknown>) => ({
        code,
        directive,
        line,
        column,
      })),
      [
        { code: 'unknown_secret', directive: 'secrets.A', line: 2, column: 15 },
        { code: 'unknown_profile', directive: 'profile', line: 3, column: 10 },
      ],
    )
    assert.equal((await call('GET', '/v1/pipelines/acme%2Funsaved')).status, 404)
  })

  test('of the largest document lets other requests be answered meanwhile', async () => {
    const state = { isDone: false }
    const large = call('POST', '/v1/pipelines/validate', { document: aLargeDocument('large') }).finally(() => {
      state.isDone = true
    })
    let answered = 0
    while (!state.isDone) {
      const { status } = await call('POST', '/v1/pipelines/validate', { document: aDocument('small') })
      assert.equal(status, 200)
      answered += 1
    }
    assert.deepEqual((await large).body, { valid: true, errors: [], warnings: [] })
    // Two or three are answered before the parser begins.
    assert.ok(answered >= 10, `${answered} answered`)
  })

  test('tells nobody what another team has', async () => {
    const document = aDocument('x', 'secrets: { A: acme/npm }\n')
    assert.equal((await validate({ document, team_path: 'acme' }, 'stranger')).status, 403)
    assert.equal((await validate({ document }, 'stranger')).status, 200)
    assert.equal((await validate({ document }, 'nobody')).status, 401)
  })
})

describe('what a document names outside itself', () => {
  const withStep = (name: string, step: string) =>
    `name: ${name}\nsteps:\n  - name: s\n${step}    tasks:\n      - { name: t, run: x }\n`
  const child = (name: string, target: string, inputs = '{}') =>
    `name: ${name}\nsteps:\n  - { name: s, tasks: [{ name: t, pipeline: ${target}, inputs: ${inputs} }] }\n`
  const save = (document: string, as = 'admin') =>
    call('POST', '/v1/pipelines', { team_path: 'acme/web', document }, { as })
  const validate = (document: string, as: string) =>
    call('POST', '/v1/pipelines/validate', { document, team_path: 'acme/web' }, { as })
  const codes = (faults: readonly { code: string; directive: string }[]) =>
    faults.map(({ code, directive }) => `${code} ${directive}`)

  test('is looked up where a step or task names it, and the error names the directive', async () => {
    const document = `name: outside
steps:
  - name: s
    scope: acme/web/nowhere
    profile: none
    tasks:
      - { name: t, run: x, profile: neither, registry_credential: other/npm }
      - { name: u, pipeline: acme/web/nothing }
      - { name: v, pipeline: acme/web/outside }
`
    const refused = await save(document)
    assert.deepEqual(
      refused.body.errors.map(({ field }: { field: string }) => field),
      [
        'steps.s.scope',
        'steps.s.profile',
        'steps.s.tasks.t.profile',
        'steps.s.tasks.t.registry_credential',
        'steps.s.tasks.u.pipeline',
        'steps.s.tasks.v.pipeline',
      ],
    )
  })

  test('is looked up also where the document itself has faults, and all comes in the order of the text', async () => {
    await create('known', 'variables: { VERSION: "1" }\n')
    const document = `name: Everything
secrets: { A: acme/web/none, B: npm }
profile: none
timeout: soon
steps:
  - name: s
    scope: acme/web/nowhere
    image: alpine
    tasks:
      - { name: t, run: x, pipeline: acme/web/nothing }
      - { name: u, pipeline: acme/web/known, inputs: { VERSON: "2" } }
`
    const expected = [
      '1 name',
      '2 secrets.A',
      '2 secrets.B',
      '3 profile',
      '4 timeout',
      '7 steps.s.scope',
      '8 steps.s.image',
      '10 steps.s.tasks.t.pipeline',
      '10 steps.s.tasks.t.pipeline',
      '11 steps.s.tasks.u.inputs.VERSON',
    ]
    const { body } = await validate(document, 'admin')
    assert.equal(body.valid, false)
    assert.deepEqual(
      body.errors.map(({ line, directive }: { line: number; directive: string }) => `${line} ${directive}`),
      expected,
      JSON.stringify(body.errors, null, 1),
    )
    const refused = await save(document)
    assert.equal(refused.status, 400)
    assert.deepEqual(
      refused.body.errors.map(
        ({ field, message }: { field: string; message: string }) => `${message.match(/\d+/)?.[0]} ${field}`,
      ),
      expected,
    )
    // The messages tell the writer no more about hidden things than those of a sound document.
    const hidden = await validate('name: X\nsecrets: { A: acme/npm }\nsteps: []\n', 'editor')
    const secret = hidden.body.warnings.find(({ directive }: { directive: string }) => directive === 'secrets.A')
    assert.equal(secret?.message, 'You need secret.read on acme/web to let a pipeline use acme/npm.')
  })

  test('of a secret the writer must be one who may see the names of those of the team', async () => {
    const document = aDocument('secretive', 'secrets: { A: acme/npm }\n')
    const refused = await save(document, 'editor')
    assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'secrets.A'])
    const hidden = await validate(document, 'editor')
    assert.deepEqual([hidden.body.valid, codes(hidden.body.warnings)], [true, ['unknown_secret secrets.A']])
    assert.equal((await save(document)).status, 201)
  })

  test('of a scope the writer must have the use', async () => {
    await anEnvironment(db, 'acme/web/staging')
    const document = withStep('scoped', '    scope: acme/web/staging\n')
    const refused = await save(document, 'editor')
    assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'steps.s.scope'])
    assert.equal((await save(document)).status, 201)
    // The person who saves the document may see a scope that the writer may not see.
    const hidden = await validate(document, 'editor')
    assert.deepEqual([hidden.body.valid, codes(hidden.body.warnings)], [true, ['unknown_scope steps.s.scope']])
    assert.match(JSON.stringify(hidden.body), /There is no scope acme\/web\/staging that you may use/)
    const seen = await validate(document, 'seer')
    assert.deepEqual([seen.body.valid, codes(seen.body.warnings)], [true, ['unknown_scope steps.s.scope']])
    assert.match(JSON.stringify(seen.body), /You may not use the scope acme\/web\/staging/)
    assert.equal((await validate(document, 'stranger')).status, 403)
    const gone = await validate(withStep('scoped', '    scope: acme/web/gone\n'), 'admin')
    assert.deepEqual([gone.body.valid, codes(gone.body.errors)], [false, ['unknown_scope steps.s.scope']])
  })

  test('approvers as whom nobody can decide are a warning, at a save too', async () => {
    const approvers = ['user:ada', 'user:adda', 'group:leads', 'group:ledas', 'group:strangers', 'group:nobody']
    const others = ['service_account:acme/ci', 'role:owner']
    const list = [...approvers, ...others].join(', ')
    const document = `name: gate\nsteps:\n  - name: release\n    approval: { approvers: [${list}] }\n`
    const expected = ['adda', 'ledas', 'strangers', 'nobody', 'acme/ci']
    for (const answer of [await validate(document, 'admin'), await save(document)]) {
      const { warnings } = answer.body
      assert.deepEqual([...new Set(codes(warnings))], ['unknown_approver steps.release.approval.approvers'])
      assert.equal(warnings.length, expected.length)
      for (const [at, name] of expected.entries()) assert.ok(warnings[at].message.includes(name), name)
      assert.match(warnings[0].message, /correct the name/)
      assert.deepEqual([warnings[0].line, warnings[0].column], [4, 39])
    }
    const misspelt = await save(document.replace('role:owner', 'role:captain'))
    assert.equal(misspelt.status, 400)
    assert.match(misspelt.body.errors[0].field, /^steps\.release\.approval\.approvers/)
  })

  test('of a child pipeline the writer must have the start, and its variables are known', async () => {
    await create('child', 'variables: { VERSION: "1" }\nfinal_outputs: [{ name: address, template: x }]\n')
    const refused = await save(child('parent', 'acme/web/child'), 'editor')
    assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'steps.s.tasks.t.pipeline'])
    assert.match(refused.body.errors[0].message, /You need run\.start on acme\/web/)
    const misspelt = await save(child('parent', 'acme/web/child', '{ VERSON: "2" }'))
    assert.equal(misspelt.body.errors[0].field, 'steps.s.tasks.t.inputs.VERSON')
    assert.match(misspelt.body.errors[0].message, /did you mean VERSION\?/)
    const parent = child('parent', 'acme/web/child', '{ VERSION: "2" }').replace(
      'inputs:',
      'outputs: { addres: , x: }, inputs:',
    )
    const saved = await save(parent)
    assert.equal(saved.status, 201)
    assert.deepEqual(codes(saved.body.warnings), [
      'unknown_output steps.s.tasks.t.outputs.addres',
      'unknown_output steps.s.tasks.t.outputs.x',
    ])
    assert.match(saved.body.warnings[0].message, /did you mean address\?/)
    await call('POST', '/v1/pipelines', { team_path: 'other', document: aDocument('secretly') })
    for (const target of ['other/secretly', 'other/nothing']) {
      const hidden = await validate(child('curious', target), 'editor')
      assert.deepEqual(
        [hidden.body.valid, codes(hidden.body.warnings)],
        [true, ['unknown_pipeline steps.s.tasks.t.pipeline']],
      )
      const kept = await save(child('curious', target), 'editor')
      assert.match(kept.body.errors[0].message, /There is no pipeline other\/\w+ that you may see/)
    }
    await call('DELETE', '/v1/pipelines/other%2Fsecretly')
  })

  test('a profile of a task is held while it is named, and is what runs get', async () => {
    const id = await aProfile(db, 'acme/big', { labels: ['big'] })
    const document = withStep('held', '').replace('run: x', 'run: x, profile: big')
    assert.equal((await save(document)).status, 201)
    const resolved = await piping.door.resolveForRun(db, 'acme/web/held')
    assert.deepEqual(resolved?.profiles['big']?.requirement.labels, ['big'])
    // A nearer profile of the same name applies from the next save on.
    await aProfile(db, 'acme/web/big', { labels: ['nearer'] })
    assert.deepEqual((await piping.door.resolveForRun(db, 'acme/web/held'))?.profiles['big']?.requirement.labels, [
      'big',
    ])
    const remove = () => call('DELETE', `/v1/profiles/${id}`)
    assert.deepEqual([(await remove()).status, (await remove()).body.code], [409, 'profile.in_use'])
    await call('PUT', '/v1/pipelines/acme%2Fweb%2Fheld', { document: withStep('held', '') })
    assert.equal((await remove()).status, 204)
  })
})

test('a graph of another release is refused, and not walked', async () => {
  const { versionId } = await aPipeline(db, 'acme/former')
  for (const format of [1, 3]) {
    await db
      .updateTable('pipeline_versions')
      .set({ graph: JSON.stringify({ format, steps: [] }) })
      .where('id', '=', versionId)
      .execute()
    const anew = await pipelines.open(kit, needs)
    await assert.rejects(() => anew.door.getGraph(db, versionId), /format of another release/)
    await anew.close?.()
  }
})

test('the schema is public and a schema', async () => {
  const response = await http.app.inject({ method: 'GET', url: '/v1/schemas/pipeline.json' })
  assert.equal(response.statusCode, 200)
  assert.equal(response.json().$schema, 'https://json-schema.org/draft/2020-12/schema')
  assert.ok(response.json().properties.steps)
})

test('the users of a secret are the pipelines whose current version names it, of those that one may see', async () => {
  const registry = `name: pull
steps:
  - name: build
    tasks:
      - name: unit
        run: npm test
        image: node
        registry_credential: { ghcr.io: acme/npm }
`
  const named = 'secrets: { TOKEN: acme/npm, AGAIN: acme/npm }\n'
  const using = await create('using', named)
  const pulling = await call('POST', '/v1/pipelines', { team_path: 'acme/web', document: registry })
  assert.equal(pulling.status, 201, JSON.stringify(pulling.body))
  const gone = await create('gone', named)
  const users = async (as = 'admin', secret = 'acme/npm'): Promise<ReadonlyMap<string, readonly string[]>> => {
    const { status, body } = await call('GET', `/v1/pipelines?secret=${secret}`, undefined, { as })
    assert.equal(status, 200)
    return new Map(body.map((item: { name: string; named_at: string[] }) => [item.name, item.named_at]))
  }
  const before = await users('viewer')
  assert.deepEqual(before.get('using'), ['secrets.AGAIN', 'secrets.TOKEN'])
  assert.deepEqual(before.get('pull'), ['steps.build.tasks.unit.registry_credential.ghcr.io'])
  assert.ok(before.has('gone'))
  assert.equal((await users('stranger')).size, 0)
  assert.equal((await users('admin', 'acme/unknown')).size, 0)
  assert.equal('named_at' in (await call('GET', '/v1/pipelines')).body[0], false)
  assert.equal((await call('GET', '/v1/pipelines?secret=npm')).status, 400)

  const body = { document: aDocument('using') }
  assert.equal((await call('PUT', `/v1/pipelines/${using.body.id}`, body)).status, 200)
  assert.equal((await call('DELETE', `/v1/pipelines/${gone.body.id}`)).status, 204)
  const left = await users()
  assert.deepEqual([left.has('using'), left.has('pull'), left.has('gone')], [false, true, false])
})

test('what the migrations find in stored graphs is what saves keep', async () => {
  const secrets = () => db.selectFrom('pipeline_secrets').selectAll().orderBy('secret').orderBy('directive').execute()
  const children = () => db.selectFrom('pipeline_children').selectAll().orderBy('child').orderBy('scope').execute()
  await create('migrated', 'secrets: { TOKEN: acme/npm }\n')
  const task = 'tasks: [{ name: a, pipeline: acme/web/migrated }]'
  const document = `name: starts\nsteps:\n  - { name: one, ${task} }\n  - { name: two, ${task} }\n`
  await aPipeline(db, 'acme/web/starts', `${document}  - { name: three, scope: acme/web/there, ${task} }\n`)
  const saved = [await secrets(), await children()] as const
  assert.ok(saved[0].some(({ directive }) => directive.endsWith('.registry_credential.ghcr.io')))
  assert.ok(saved[0].some(({ directive }) => directive === 'secrets.TOKEN'))
  const named = saved[1].filter(({ child }) => child === 'acme/web/migrated')
  assert.deepEqual(
    named.map(({ scope }) => scope),
    ['acme/web/there', null],
  )
  await db.deleteFrom('pipeline_secrets').execute()
  await db.deleteFrom('pipeline_children').execute()
  for (const name of ['202611232325_pipelines_secrets', '202611282340_pipelines_children']) {
    const file = new URL(`../../../../migrations/${name}.sql`, import.meta.url)
    const statements = readFileSync(file, 'utf8').split(';')
    for (const statement of statements.filter((each) => each.includes('insert into')))
      await sql.raw(statement).execute(db)
  }
  assert.deepEqual([await secrets(), await children()], saved)
})

test('the list holds what the caller may see, by team, in pages', async () => {
  await call('POST', '/v1/pipelines', { team_path: 'other', document: aDocument('listed') })
  await create('listed')
  const names = async (query: string, as = 'admin'): Promise<string[]> => {
    const { body } = await call('GET', `/v1/pipelines${query}`, undefined, { as })
    return body.map((item: { identifier: string }) => item.identifier)
  }
  assert.ok((await names('', 'viewer')).every((name) => name.startsWith('acme/')))
  assert.deepEqual(await names('', 'stranger'), ['other/listed'])
  assert.deepEqual(await names('?team_path=other'), ['other/listed'])
  assert.deepEqual(await names('?team_path=other', 'viewer'), [])
  const first = await call('GET', '/v1/pipelines?limit=1')
  const next = await call('GET', /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? '')
  assert.notEqual(first.body[0].id, next.body[0].id)
  assert.equal('document' in first.body[0], false)
  for (const query of ['limit=0', 'limit=501', 'cursor=x', 'colour=red']) {
    assert.equal((await call('GET', `/v1/pipelines?${query}`)).status, 400, query)
  }
})
