import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { TeamMember } from '@signalbox/contracts/members'
import { sql } from 'kysely'
import {
  countRowsRead,
  createTestDatabase,
  createTestHttp,
  createTestKit,
  testAuthenticator,
  testCaller,
} from '#platform/testing'
import { aTeam } from '#rooms/foundation/teams/testing'
import { memberRightsQuery } from './store/members.ts'
import { aGrant, aMember, aServiceAccount, aUser, openFoundation } from './testing.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const house = await openFoundation(createTestKit(database))
const http = await createTestHttp(house.routes, house.access.authenticator)
const strange = await createTestHttp(
  house.routes,
  testAuthenticator({ blind: testCaller({ acme: ['team.read'] }), away: testCaller({ acmeter: ['*'] }) }),
)
after(async () => {
  await http.app.close()
  await strange.app.close()
  await house.close()
})

for (const path of ['acme', 'acme/web', 'acme/web/api', 'acmeter', 'lab', 'lab/web']) await aTeam(db, path)
const root = await aMember(db, 'root', 'administrator', '/')
const olga = await aMember(db, 'olga', 'owner', 'acme')
const wes = await aMember(db, 'wes', 'owner', 'acme/web')
const vera = await aMember(db, 'vera', 'viewer', 'acme/web')
const walt = await aMember(db, 'walt', 'viewer', 'acme/web')
await aMember(db, 'below', 'owner', 'acme/web/api')
await aMember(db, 'beside', 'owner', 'acmeter')
const gus = await aUser(db, 'gus')
const leads = await aGroup('leads', gus, vera.id)
await aGrant(db, `group:${leads}`, 'operator', 'acme')
const robot = await aServiceAccount(db, 'acme/web', 'robot')
await aGrant(db, `service_account:${robot}`, 'editor', 'acme/web')

async function aGroup(name: string, ...members: string[]): Promise<string> {
  const { id } = (
    await http.app.inject({ method: 'POST', url: '/v1/groups', headers: root.headers, payload: { name } })
  ).json()
  for (const member of members) {
    await http.app.inject({ method: 'PUT', url: `/v1/groups/${id}/members/${member}`, headers: root.headers })
  }
  return id
}

async function ask(who: { readonly headers: { readonly authorization: string } }, path = 'acme/web', query = '') {
  const url = `/v1/teams/${encodeURIComponent(path)}/members${query}`
  const answer = await http.app.inject({ url, headers: who.headers })
  return { status: answer.statusCode, text: answer.body, body: answer.json(), link: String(answer.headers.link ?? '') }
}

async function list(who: typeof root, path?: string, query?: string): Promise<readonly TeamMember[]> {
  const { status, body, text } = await ask(who, path, query)
  assert.equal(status, 200, text)
  return body
}

/** Each member in a line: `vera: viewer own acme/web; operator group acme leads`; `+` where there is more. */
const told = (members: readonly TeamMember[]): string[] =>
  members
    .map(({ subject_name: name, rights, hidden_rights: isMore }) => {
      const each = rights.map(({ role, origin, team_path, group }) =>
        [role, origin, team_path, ...(group ? [group.name] : [])].join(' '),
      )
      return `${name}: ${each.join('; ')}${isMore ? '+' : ''}`
    })
    .toSorted()

describe('everybody who has a right at a team, with the origin of each right', () => {
  test('for who sees all: own grants, grants of the teams above, users through groups; nobody below or beside', async () => {
    assert.deepEqual(told(await list(root)), [
      'acme/web/robot: editor own acme/web',
      'gus: operator group acme leads',
      'leads: operator inherited acme',
      'olga: owner inherited acme',
      'root: administrator inherited /',
      'vera: operator group acme leads; viewer own acme/web',
      'walt: viewer own acme/web',
      'wes: owner own acme/web',
    ])
    assert.deepEqual(told(await list(root, 'acme')), [
      'gus: operator group acme leads',
      'leads: operator own acme',
      'olga: owner own acme',
      'root: administrator inherited /',
      'vera: operator group acme leads',
    ])
  })

  test('a right names its grant, the group and the time; a team is found by its id, too', async () => {
    const { id } = (await http.app.inject({ url: '/v1/teams/acme%2Fweb', headers: root.headers })).json()
    const members = await list(root, id)
    const [right] = members.find(({ subject }) => subject === `user:${gus}`)?.rights ?? []
    assert.deepEqual(right?.group, { id: leads, name: 'leads' })
    const grant = (await http.app.inject({ url: `/v1/grants/${right?.grant_id}`, headers: root.headers })).json()
    assert.deepEqual([grant.subject, grant.created_at], [`group:${leads}`, right?.created_at])
  })

  test('a disabled member is told as one', async () => {
    const dora = await aMember(db, 'dora', 'editor', 'lab/web')
    const state = async (disabled: boolean) => {
      const url = `/v1/users/${dora.id}`
      await http.app.inject({ method: 'PATCH', url, headers: root.headers, payload: { disabled } })
      return (await list(root, 'lab/web')).find(({ subject }) => subject === `user:${dora.id}`)?.disabled
    }
    assert.deepEqual([await state(true), await state(false)], [true, false])
  })

  test('in pages, each member once and whole', async () => {
    const all = await list(root)
    const seen: TeamMember[] = []
    let url = '/v1/teams/acme%2Fweb/members?limit=3'
    for (let pages = 0; url !== '' && pages < 10; pages++) {
      const answer = await http.app.inject({ url, headers: root.headers })
      assert.ok(answer.json().length <= 3)
      seen.push(...answer.json())
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? ''
    }
    assert.deepEqual(seen, all)
  })
})

describe('what the reader may not see of the teams above', () => {
  test('an owner of the team below, who sees users, is told that there is a grant, and nothing of it', async () => {
    assert.deepEqual(told(await list(wes)), [
      'acme/web/robot: editor own acme/web',
      'gus: +',
      'leads: +',
      'olga: +',
      'root: +',
      'vera: viewer own acme/web+',
      'walt: viewer own acme/web',
      'wes: owner own acme/web',
    ])
    assert.deepEqual(told(await list(olga)), [
      'acme/web/robot: editor own acme/web',
      'gus: operator group acme leads',
      'leads: operator inherited acme',
      'olga: owner inherited acme',
      'root: +',
      'vera: operator group acme leads; viewer own acme/web',
      'walt: viewer own acme/web',
      'wes: owner own acme/web',
    ])
  })

  test('a viewer, who sees no users, does not learn who the others are, nor how many', async () => {
    const { text, body } = await ask(walt)
    assert.deepEqual(told(body), [
      'acme/web/robot: editor own acme/web',
      'null: +',
      'vera: viewer own acme/web+',
      'walt: viewer own acme/web',
      'wes: owner own acme/web',
    ])
    assert.equal(body.at(-1).subject, null, 'the last one')
    for (const hidden of ['olga', 'root', 'gus', 'leads', 'operator', 'administrator', olga.id, gus, leads]) {
      assert.ok(!text.includes(hidden), hidden)
    }
    const more = await aMember(db, 'another', 'owner', 'acme')
    const { text: then } = await ask(walt)
    assert.equal(then, text)
    await db.deleteFrom('users').where('id', '=', more.id).execute()
  })

  test('one sees the own groups; of others only the groups that were given something here', async () => {
    const carl = await aMember(db, 'carl', 'viewer', 'lab')
    const dan = await aUser(db, 'dan')
    const crew = await aGroup('crew', carl.id, dan)
    await aGrant(db, `group:${crew}`, 'editor', 'lab')
    const members = told(await list(carl, 'lab'))
    assert.ok(members.includes('carl: editor group lab crew; viewer own lab'))
    assert.ok(members.includes('crew: editor own lab'))
    assert.ok(!members.some((line) => line.startsWith('dan')))
    const dina = await aMember(db, 'dina', 'viewer', 'lab')
    assert.ok(told(await list(dina, 'lab')).includes('carl: viewer own lab+'), 'the grant of a group is told of')
  })

  test('the last entry comes once, behind the last page', async () => {
    const sizes: number[] = []
    const names: (string | null)[] = []
    let url = '/v1/teams/acme%2Fweb/members?limit=3'
    for (let pages = 0; url !== '' && pages < 10; pages++) {
      const answer = await http.app.inject({ url, headers: walt.headers })
      const page: TeamMember[] = answer.json()
      sizes.push(page.length)
      names.push(...page.map(({ subject_name: name }) => name))
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? ''
    }
    assert.deepEqual(sizes, [3, 2])
    assert.deepEqual([names.at(-1), names.filter((name) => name === null).length], [null, 1])
  })
})

describe('narrowed', () => {
  test('by kind, role, origin and name, together; each member with all rights', async () => {
    const narrowed = async (query: string) => told(await list(root, 'acme/web', `?${query}`))
    assert.deepEqual(await narrowed('kind=group'), ['leads: operator inherited acme'])
    assert.deepEqual(await narrowed('kind=service_account'), ['acme/web/robot: editor own acme/web'])
    assert.deepEqual(await narrowed('role=viewer'), [
      'vera: operator group acme leads; viewer own acme/web',
      'walt: viewer own acme/web',
    ])
    assert.deepEqual(await narrowed('origin=group'), [
      'gus: operator group acme leads',
      'vera: operator group acme leads; viewer own acme/web',
    ])
    assert.deepEqual(await narrowed('origin=inherited&kind=user'), [
      'olga: owner inherited acme',
      'root: administrator inherited /',
    ])
    assert.deepEqual(await narrowed('origin=own&role=owner'), ['wes: owner own acme/web'])
    assert.deepEqual(await narrowed('role=viewer&origin=group'), [], 'one right has both')
    assert.deepEqual(await narrowed('name=OL'), ['olga: owner inherited acme'])
    assert.deepEqual(await narrowed('name=%25'), [], 'no pattern')
  })

  test('tells nothing of what is hidden: a filter looks at what the reader sees', async () => {
    assert.deepEqual(told(await list(wes, 'acme/web', '?role=operator')), [])
    assert.deepEqual(told(await list(wes, 'acme/web', '?role=administrator')), [])
    assert.deepEqual(told(await list(wes, 'acme/web', '?origin=group')), [])
    assert.deepEqual(told(await list(wes, 'acme/web', '?origin=inherited')), ['leads: +', 'olga: +', 'root: +'])
    assert.deepEqual(told(await list(walt, 'acme/web', '?origin=inherited')), ['null: +'])
    for (const query of ['?name=olga', '?kind=user&origin=group', '?role=operator', '?kind=group']) {
      assert.deepEqual(told(await list(walt, 'acme/web', query)), [], query)
    }
  })
})

describe('who may not', () => {
  test('nobody, a stranger, who sees the team alone, and what is no query', async () => {
    const url = '/v1/teams/acme%2Fweb/members'
    assert.equal((await http.app.inject({ url })).statusCode, 401)
    const asStranger = async (team: string, as: string) =>
      await strange.app.inject({ url: `/v1/teams/${team}/members`, headers: { authorization: `Bearer ${as}` } })
    const blind = await asStranger('acme%2Fweb', 'blind')
    assert.deepEqual([blind.statusCode, /grant\.read on acme\/web/.test(blind.json().detail)], [403, true])
    const [hidden, absent] = [await asStranger('acme%2Fweb', 'away'), await asStranger('nowhere', 'away')]
    assert.deepEqual([hidden.statusCode, absent.statusCode], [404, 404])
    assert.equal(hidden.json().detail, absent.json().detail)
    for (const query of ['?role=king', '?origin=above', '?kind=robot', '?name=', '?cursor=x', '?limit=0', '?other=1']) {
      assert.equal((await ask(root, 'acme/web', query)).status, 400, query)
    }
  })
})

test('reads the grants and groups of the team alone, however many there are elsewhere', async () => {
  await sql`
    with made as (
      insert into teams (id, path, name, created_at, updated_at)
      select gen_random_uuid(), 'many-' || n, 'many', now(), now() from generate_series(1, 1500) as n returning path
    )
    insert into grants (id, subject_kind, user_id, role, team_path, created_at)
    select gen_random_uuid(), 'user', ${gus}::uuid, 'viewer', path, now() from made`.execute(db)
  await sql`
    with made as (
      insert into groups (id, name, created_at)
      select gen_random_uuid(), 'many-' || n, now() from generate_series(1, 1500) as n returning id
    )
    insert into group_members (group_id, user_id) select id, ${gus}::uuid from made`.execute(db)
  await sql`analyze grants, groups, group_members`.execute(db)
  const query = memberRightsQuery(
    {
      path: 'acme/web',
      paths: ['acme/web', 'acme', '/'],
      readable: ['acme/web', 'acme', '/'],
      self: 'user:none',
      seesUsers: true,
      accountPrefixes: ['/'],
    },
    { before: undefined, limit: 50 },
  )
  assert.ok((await countRowsRead(db, query)) < 500)
})
