import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { PERMISSION_NAMES, ROLE_NAMES } from '@signalbox/contracts/access'
import { createTestDatabase, createTestHttp, createTestKit } from '#platform/testing'
import { aTeam } from '#rooms/foundation/teams/testing'
import { giverOf, remediesFor, weakestRoleWith } from './rules/explain-access.ts'
import { ROLES } from './rules/permissions.ts'
import { aGrant, aMember, aServiceAccount, aUser, openFoundation } from './testing.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const house = await openFoundation(createTestKit(database))
const http = await createTestHttp(house.routes, house.access.authenticator)
after(async () => {
  await http.app.close()
  await house.close()
})
for (const path of ['acme', 'acme/web', 'other', 'lab', 'lab/web']) await aTeam(db, path)
const root = await aMember(db, 'root', 'administrator', '/')
const olga = await aMember(db, 'olga', 'owner', 'acme')
const vera = await aMember(db, 'vera', 'viewer', 'acme/web')
const stranger = await aMember(db, 'stranger', 'owner', 'other')
const plain = await aUser(db, 'plain')

type Member = typeof root
const ask = async (who: Member, subject: string, permission: string, team: string) => {
  const query = new URLSearchParams({ subject, permission, team_path: team })
  const answer = await http.app.inject({ url: `/v1/explain/access?${query}`, headers: who.headers })
  return { status: answer.statusCode, text: answer.body, body: answer.json() }
}
const send = async (who: Member, method: 'POST' | 'PUT' | 'PATCH', url: string, payload?: object) => {
  const answer = await http.app.inject({ method, url, headers: who.headers, ...(payload ? { payload } : {}) })
  assert.ok(answer.statusCode < 300, answer.body)
  return answer.body === '' ? {} : answer.json()
}

describe('why somebody may do something', () => {
  test('names each grant with its team, its group, who made it and when; the nearest first', async () => {
    const bea = await aUser(db, 'bea')
    const group = (await send(root, 'POST', '/v1/groups', { name: 'leads' })).id
    await send(root, 'PUT', `/v1/groups/${group}/members/${bea}`)
    await send(root, 'POST', '/v1/grants', { subject: `group:${group}`, role: 'operator', team_path: 'acme' })
    await send(olga, 'POST', '/v1/grants', { subject: `user:${bea}`, role: 'editor', team_path: 'acme/web' })
    await send(olga, 'POST', '/v1/grants', { subject: `user:${bea}`, role: 'viewer', team_path: 'acme/web' })
    const { body } = await ask(root, `user:${bea}`, 'run.start', 'acme/web')
    assert.equal(body.allowed, true)
    assert.equal(body.sentence, 'user:bea has run.start on acme/web: editor of acme/web.')
    assert.deepEqual(
      body.grants.map(
        (one: { role: string; team_path: string; group: { name: string } | null; created_by: string }) => [
          one.role,
          one.team_path,
          one.group?.name ?? null,
          one.created_by,
        ],
      ),
      [
        ['editor', 'acme/web', null, 'olga'],
        ['operator', 'acme', 'leads', 'root'],
      ],
    )
    assert.equal(body.hidden_grants, false)
    const above = await ask(root, `user:${bea}`, 'run.start', 'acme')
    assert.equal(above.body.sentence, 'user:bea has run.start on acme: operator of acme through the group leads.')
    const asGroup = await ask(root, `group:${group}`, 'run.start', 'acme/web')
    assert.equal(asGroup.body.allowed, true)
  })

  test('of a service account, and of a disabled one', async () => {
    const robot = await aServiceAccount(db, 'acme', 'robot')
    await aGrant(db, `service_account:${robot}`, 'operator', 'acme')
    const before = await ask(olga, `service_account:${robot}`, 'run.start', 'acme/web')
    assert.deepEqual([before.body.allowed, before.body.subject_name], [true, 'acme/robot'])
    await send(olga, 'PATCH', `/v1/service-accounts/${robot}`, { disabled: true })
    const { body } = await ask(olga, `service_account:${robot}`, 'run.start', 'acme/web')
    assert.deepEqual([body.allowed, body.disabled, body.remedies], [false, true, []])
    assert.equal(body.sentence, 'service_account:acme/robot is disabled and may do nothing.')
  })
})

describe('why somebody may not', () => {
  test('the nearest grants that would give it, and who can make them', async () => {
    const { body } = await ask(root, `user:${plain}`, 'pipeline.write', 'acme/web')
    assert.equal(body.allowed, false)
    assert.equal(
      body.sentence,
      'user:plain lacks pipeline.write on acme/web. The role editor of acme/web has it; ask olga, root.',
    )
    assert.deepEqual(body.remedies, [
      { role: 'editor', team_path: 'acme/web', givers: ['olga', 'root'] },
      { role: 'editor', team_path: 'acme', givers: ['olga', 'root'] },
      { role: 'editor', team_path: '/', givers: ['root'] },
    ])
    const platform = await ask(root, `user:${olga.id}`, 'user.write', 'acme')
    assert.deepEqual(platform.body.remedies, [{ role: 'administrator', team_path: '/', givers: ['root'] }])
  })

  test('whoever gives a role holds everything that it allows, and the right to give', () => {
    for (const role of ROLE_NAMES) {
      const held = ROLES[giverOf(role)]
      assert.ok([...ROLES[role], 'grant.write' as const].every((one) => held.includes(one)))
    }
    for (const permission of PERMISSION_NAMES) {
      assert.ok(ROLES[weakestRoleWith(permission)].includes(permission))
      assert.ok(remediesFor(permission, 'a/b').length > 0)
    }
  })
})

describe('what the caller may not see', () => {
  test('a grant of a team above counts, and is not shown', async () => {
    const { body } = await ask(vera, `user:${vera.id}`, 'run.read', 'acme/web')
    assert.equal(body.hidden_grants, false)
    const group = `group:${await aGroupWith(vera.id)}`
    await send(root, 'POST', '/v1/grants', { subject: `user:${vera.id}`, role: 'operator', team_path: 'acme/web' })
    await send(root, 'POST', '/v1/grants', { subject: group, role: 'owner', team_path: '/' })
    const now = await ask(vera, `user:${vera.id}`, 'run.start', 'acme/web')
    assert.deepEqual([now.body.allowed, now.body.hidden_grants, now.body.grants.length], [true, false, 2])
  })

  test('a viewer of the team sees neither who made a grant, nor groups, nor people above', async () => {
    const walt = await aMember(db, 'walt', 'viewer', 'lab/web')
    const carl = await aUser(db, 'carl')
    await aGrant(db, `user:${carl}`, 'viewer', 'lab/web')
    await aGrant(db, `group:${await aGroupWith(carl)}`, 'owner', 'lab')
    const { body } = await ask(walt, `user:${carl}`, 'run.start', 'lab/web')
    assert.deepEqual([body.allowed, body.grants, body.hidden_grants], [true, [], true])
    assert.equal(body.sentence, 'user:carl has run.start on lab/web by a grant that you may not see.')
    const own = await ask(walt, `user:${walt.id}`, 'run.start', 'lab/web')
    assert.equal(
      own.body.sentence,
      'user:walt lacks run.start on lab/web. The role operator of lab/web has it; ask carl.',
    )
    assert.doesNotMatch(own.text, /root/, 'nobody knows the administrators')
    const shown = await ask(walt, `user:${carl}`, 'run.read', 'lab/web')
    assert.deepEqual(
      shown.body.grants.map((one: { created_by: unknown }) => one.created_by),
      [null],
    )
  })

  test('a hidden team and a hidden subject are like absent ones', async () => {
    const teams = [
      await ask(stranger, `user:${plain}`, 'run.read', 'acme'),
      await ask(stranger, `user:${plain}`, 'run.read', 'nowhere'),
    ]
    const none = `user:${'0'.repeat(8)}-0000-7000-8000-000000000000`
    const walt = await aMember(db, 'wanda', 'viewer', 'acme/web')
    const subjects = [
      await ask(walt, `user:${stranger.id}`, 'run.read', 'acme/web'),
      await ask(walt, none, 'run.read', 'acme/web'),
    ]
    for (const answers of [teams, subjects]) {
      assert.deepEqual(
        answers.map(({ status }) => status),
        [404, 404],
      )
      assert.equal(answers[0]?.body.detail, answers[1]?.body.detail)
    }
    assert.equal((await ask(vera, `user:${vera.id}`, 'run.read', '/')).status, 200, 'now an owner of everything')
  })
})

describe('about oneself', () => {
  const own = async (who: Member, permission: string, team: string) => {
    const query = new URLSearchParams({ permission, team_path: team })
    const answer = await http.app.inject({ url: `/v1/explain/access?${query}`, headers: who.headers })
    return { status: answer.statusCode, text: answer.body, body: answer.json() }
  }

  test('everybody may ask, and hears who could give what is missing', async () => {
    const nils = await aMember(db, 'nils', 'operator', 'acme/web')
    const may = await own(nils, 'run.start', 'acme/web')
    assert.deepEqual([may.body.allowed, may.body.token_limit], [true, null])
    assert.equal(may.body.sentence, 'user:nils has run.start on acme/web: operator of acme/web.')
    assert.deepEqual(may.body.findings[0].evidence, [
      { kind: 'subject', id: `user:${nils.id}` },
      { kind: 'grant', id: may.body.grants[0].grant_id },
    ])
    const lacks = await own(nils, 'pipeline.write', 'acme/web')
    assert.equal(lacks.body.allowed, false)
    assert.deepEqual(lacks.body.remedies[0].role, 'editor')
    assert.deepEqual(
      lacks.body.findings.map((one: { code: string }) => one.code),
      ['access.lacking', 'access.remedy'],
    )
    assert.equal((await own(nils, 'run.start', 'acme/web/none')).status, 404, 'absent below what is seen')
  })

  test('a team that is not seen is answered like an absent one: nobody is named', async () => {
    const mia = await aMember(db, 'mia', 'owner', 'other')
    await aMember(db, 'secretive', 'owner', 'lab')
    const [hidden, absent] = [await own(mia, 'run.read', 'lab'), await own(mia, 'run.read', 'nay')]
    assert.deepEqual([hidden.status, absent.status], [200, 200])
    assert.equal(hidden.text.replaceAll('lab', 'nay'), absent.text)
    assert.deepEqual(
      hidden.body.remedies.map((one: { givers: string[] }) => one.givers),
      [[], []],
    )
  })
})

let groups = 0
async function aGroupWith(userId: string): Promise<string> {
  groups += 1
  const { id } = await send(root, 'POST', '/v1/groups', { name: `g${groups}` })
  await send(root, 'PUT', `/v1/groups/${id}/members/${userId}`)
  return id
}
