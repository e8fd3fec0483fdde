import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { FailPoint } from '#platform/fail-points'
import { countRowsRead, createTestDatabase, until } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { aSource, TEAM } from '../sources/testing.ts'
import { commandsOfRunQuery } from './store/index.ts'
import {
  aRepository,
  type CommandHouse,
  type CommentOptions,
  giveCommand,
  HEAD,
  listAudited,
  MONA,
  openCommands,
  openFakeProvider,
  type Repository,
} from './testing.ts'

const broken = new Set<FailPoint>()
const house: CommandHouse = await openCommands(await createTestDatabase(), {
  failPoints: {
    hit(point) {
      if (broken.delete(point)) throw new Error(`died at ${point}`)
    },
  },
})
const provider = await openFakeProvider()
const db = house.kit.database.kysely
after(async () => {
  await house.close()
  await provider.close()
})
afterEach(() => {
  provider.pull = { head: HEAD, fork: false, state: 'open' }
  provider.permissions.set('mona', { id: MONA.id, permission: 'write' })
  provider.failing = undefined
  house.replies.next = undefined
  broken.clear()
})

const give = (repository: Repository, body: string, options?: CommentOptions) =>
  giveCommand(house, repository, body, options)
const statuses = async (repository: Repository) => (await repository.runs()).map(({ status }) => status)

describe('/cancel', () => {
  test('cancels every run of the pull request that is under way, and says so in the audit', async () => {
    const repository = await aRepository(house, provider)
    await repository.open()
    const given = await give(repository, '/cancel')
    assert.deepEqual([given.outcome, await statuses(repository)], ['canceled', ['canceled']])
    const [run] = await repository.runs()
    const record = (await listAudited(house, run?.id)).find(({ action }) => action === 'run.canceled')
    assert.partialDeepStrictEqual(record?.state, { via: 'comment', reason: 'canceled by mona in a comment' })
    assert.equal((await give(repository, '/cancel')).outcome, 'nothing_to_do')
  })

  test('is nothing for a reader, and touches no pull request of another provider', async () => {
    const repository = await aRepository(house, provider)
    await repository.open()
    provider.permissions.set('mona', { id: MONA.id, permission: 'read' })
    assert.equal((await give(repository, '/cancel')).outcome, 'not_permitted')
    provider.permissions.set('mona', { id: MONA.id, permission: 'write' })
    await db
      .updateTable('runs')
      .set({ clone_url: 'https://git.example.com/acme/widgets.git' })
      .where('repository', '=', repository.fullName)
      .execute()
    assert.equal((await give(repository, '/cancel')).outcome, 'nothing_to_do')
    assert.deepEqual(await statuses(repository), ['queued'])
  })
})

describe('/rerun', () => {
  test('repeats what has finished at the head, and with failed what did not succeed', async () => {
    const repository = await aRepository(house, provider)
    await repository.open()
    assert.equal((await give(repository, '/rerun')).outcome, 'nothing_to_do')
    await give(repository, '/cancel')
    const given = await give(repository, '/rerun failed')
    assert.deepEqual([given.outcome, await statuses(repository)], ['rerun', ['canceled', 'queued']])
    const [first, again] = await repository.runs()
    assert.deepEqual([again?.cause, again?.commit_sha, again?.untrusted], ['rerun', HEAD, false])
    const [record] = await listAudited(house, again?.id)
    assert.partialDeepStrictEqual(record, { action: 'run.rerun', state: { via: 'comment', rerun_of: first?.id } })
    await give(repository, '/cancel')
    assert.equal((await give(repository, '/rerun')).outcome, 'rerun')
    assert.equal((await repository.runs()).length, 3)
  })

  test('repeats nothing of an older commit, and nothing for a reader', async () => {
    const repository = await aRepository(house, provider)
    await repository.open()
    await give(repository, '/cancel')
    provider.pull = { head: 'e'.repeat(40), fork: false, state: 'open' }
    assert.equal((await give(repository, '/rerun failed')).outcome, 'nothing_to_do')
    provider.pull = { head: HEAD, fork: false, state: 'open' }
    provider.permissions.set('mona', { id: MONA.id, permission: 'read' })
    assert.equal((await give(repository, '/rerun failed')).outcome, 'not_permitted')
    assert.equal((await repository.runs()).length, 1)
  })

  test('of a run of a fork waits for a member again', async () => {
    provider.pull = { head: HEAD, fork: true, state: 'open' }
    const repository = await aRepository(house, provider)
    await repository.open()
    await give(repository, '/cancel')
    assert.equal((await give(repository, '/rerun')).outcome, 'rerun')
    const again = (await repository.runs()).at(-1)
    assert.deepEqual([again?.untrusted, again?.withheld], [true, 'fork_approval'])
  })
})

describe('/why and /help', () => {
  test('/why says why runs wait, or why nothing started', async () => {
    const repository = await aRepository(house, provider)
    const nothing = await give(repository, '/why')
    assert.deepEqual([nothing.outcome, nothing.told?.reaction], ['answered', 'done'])
    assert.match(nothing.told?.text ?? '', /No run of the pull request is known/)
    await repository.open()
    const waits = await give(repository, '/why')
    assert.match(waits.told?.text ?? '', /^acme\/web\/build is queued: \S/)
    await give(repository, '/cancel')
    assert.match((await give(repository, '/why')).told?.text ?? '', /canceled by mona/)
  })

  test('/why tells the trace where no run started', async () => {
    const repository = await aRepository(house, provider)
    const { body } = await house.call('GET', `/v1/triggers?team_path=${TEAM}&limit=500`)
    const own = Object.values(body).find((each) => Object(each).name === repository.fullName.slice('acme/'.length))
    const changed = await house.call('PATCH', `/v1/triggers/${Object(own).id}`, { enabled: false })
    assert.equal(changed.status, 200, changed.text)
    await repository.open()
    const { told } = await give(repository, '/why')
    assert.match(told?.text ?? '', /^commanded-\d+ started nothing: its condition enabled did not hold\.$/)
  })

  test('/help lists what the person may do', async () => {
    const repository = await aRepository(house, provider)
    const { told } = await give(repository, '/help')
    assert.match(told?.text ?? '', /`\/run <pipeline>[^`]*`, `\/rerun \[failed\]`, `\/cancel`, `\/why`, `\/help`/)
    assert.doesNotMatch(told?.text ?? '', /ok-to-test/)
  })

  test('strangers are told nothing in words', async () => {
    const repository = await aRepository(house, provider)
    const eve = { id: 99, login: 'eve' }
    for (const body of ['/why', '/help']) {
      const { outcome, told } = await give(repository, body, { by: eve })
      assert.deepEqual([outcome, told?.reaction, told?.text], ['not_permitted', 'refused', undefined])
    }
  })
})

describe('a provider that is away', () => {
  test('is asked again, and the command is done once it answers', async () => {
    const repository = await aRepository(house, provider)
    await repository.comment('/run build')
    provider.failing = 503
    await assert.rejects(house.work(), /503/)
    assert.equal((await repository.listed())[0]?.['state'], 'waiting')
    provider.failing = undefined
    await carryOutAll()
    assert.equal((await repository.runs()).length, 1)
  })

  test('fails the command after a quarter of an hour, with what it said', async () => {
    const repository = await aRepository(house, provider)
    await repository.comment('/run build')
    provider.failing = 503
    await assert.rejects(house.work(), /503/)
    await db
      .updateTable('comment_commands')
      .set({ received_at: new Date(Date.now() - 16 * 60_000) })
      .where('state', '=', 'waiting')
      .execute()
    await carryOutAll()
    const [command] = await repository.listed()
    assert.deepEqual([command?.['state'], command?.['outcome']], ['failed', 'provider_failed'])
    assert.match(String(command?.['reason']), /503/)
    assert.deepEqual(await repository.runs(), [])
  })

  test('that refuses the credential fails it at once', async () => {
    const repository = await aRepository(house, provider)
    provider.failing = 401
    const { state, outcome } = await give(repository, '/run build')
    assert.deepEqual([state, outcome], ['refused', 'provider_failed'])
  })
})

/** As the queue does when a job failed. */
async function carryOutAll(): Promise<void> {
  const rows = await db.selectFrom('comment_commands').select('id').where('told_at', 'is', null).execute()
  const job = house.jobs.find(({ name }) => name === 'commands.carry-out')
  for (const { id } of rows) await job?.run({ id }, new AbortController().signal)
}

describe('a process that ends', () => {
  for (const point of ['commands.before_commit', 'commands.after_commit', 'commands.after_answer'] as const) {
    test(`at ${point} leaves one run and one answer`, async () => {
      const repository = await aRepository(house, provider)
      broken.add(point)
      const id = await repository.comment('/run build')
      await assert.rejects(house.work(), /died/)
      await carryOutAll()
      await carryOutAll()
      assert.equal((await repository.runs()).length, 1)
      const [command] = await repository.listed()
      assert.deepEqual([command?.['state'], command?.['outcome']], ['done', 'started'])
      const told = house.told.filter((each) => each.commentId === id)
      // A reaction that is given again is the same one at the provider.
      assert.equal(told.length, point === 'commands.after_answer' ? 2 : 1)
    })
  }

  test('a command whose job was given up is picked up, and ended', async () => {
    const repository = await aRepository(house, provider)
    await repository.comment('/run build')
    provider.failing = 503
    await assert.rejects(house.work(), /503/)
    const [row] = await repository.listed()
    const pickUp = house.jobs.find(({ name }) => name === 'commands.pick-up')
    await pickUp?.run({}, new AbortController().signal)
    await house.work()
    assert.equal((await repository.listed())[0]?.['state'], 'waiting')
    const late = new Date(Date.now() - 50 * 60_000)
    await db.updateTable('comment_commands').set({ received_at: late }).where('id', '=', String(row?.['id'])).execute()
    await pickUp?.run({}, new AbortController().signal)
    await house.work()
    assert.equal((await repository.listed())[0]?.['state'], 'failed')
  })

  test('an answer that the provider does not take is told later', async () => {
    const repository = await aRepository(house, provider)
    house.replies.next = { outcome: 'failed', reason: 'The provider limits its rate.', retry: true }
    await repository.comment('/run build')
    await assert.rejects(house.work(), /limits its rate/)
    assert.equal((await repository.listed())[0]?.['told_at'], null)
    house.replies.next = undefined
    await carryOutAll()
    assert.notEqual((await repository.listed())[0]?.['told_at'], null)
    assert.equal((await repository.runs()).length, 1)
  })
})

describe('a flood', () => {
  test('of one person counts ten times in ten minutes, and is answered once', async () => {
    const repository = await aRepository(house, provider)
    const ids: string[] = []
    for (let at = 0; at < 13; at += 1) ids.push(await repository.comment('/help'))
    await house.work()
    assert.equal((await repository.listed()).length, 10)
    const told = house.told.filter(({ commentId }) => ids.slice(10).includes(commentId))
    assert.deepEqual(told, [{ commentId: ids[10], reaction: 'refused', text: undefined }])
    // Another person, and another repository, have their own.
    assert.equal((await give(repository, '/help', { by: { id: 44, login: 'nina' } })).outcome, 'not_permitted')
    assert.equal((await give(await aRepository(house, provider), '/help')).outcome, 'answered')
    const counts = await db.selectFrom('comment_command_counts').selectAll().where('refused', '>', 0).execute()
    assert.deepEqual(
      counts.map(({ refused }) => refused),
      [3],
    )
  })
})

describe('a source', () => {
  test('without commands costs no fact and no row', async () => {
    const repository = await aRepository(house, provider, { comment_commands: false })
    const count = () =>
      db
        .selectFrom('facts')
        .select((of) => of.fn.countAll<number>().as('n'))
        .where('kind', '=', 'comment.posted')
        .executeTakeFirst()
    const before = await count()
    await repository.comment('/run build')
    assert.deepEqual(await count(), before)
  })

  test('that is switched off meanwhile carries out nothing, and says nothing', async () => {
    const repository = await aRepository(house, provider)
    const id = await repository.comment('/run build')
    const patch = { comment_commands: false }
    assert.equal((await house.call('PATCH', `/v1/git-webhook-sources/${repository.sourceId}`, patch)).status, 200)
    await house.work()
    assert.deepEqual([(await repository.listed())[0]?.['outcome'], await repository.runs()], ['switched_off', []])
    assert.equal(
      house.told.some(({ commentId }) => commentId === id),
      false,
    )
  })

  test('takes commands only with a credential, at a provider that can be asked', async () => {
    for (const [given, field] of [
      [{ base_url: provider.url }, 'comment_commands'],
      [
        { provider: 'gogs', base_url: provider.url, checkout_credential_ref: `secret:${TEAM}/reader` },
        'comment_commands',
      ],
    ] as const) {
      const { status, body } = await house.call(
        'POST',
        '/v1/git-webhook-sources',
        aSource({ comment_commands: true, ...given }),
      )
      assert.equal(status, 400)
      assert.ok(JSON.stringify(body['errors']).includes(field))
    }
  })
})

describe('GET /v1/comment-commands', () => {
  test('lists the commands of a source to who may read its deliveries', async () => {
    const repository = await aRepository(house, provider)
    await give(repository, '/help')
    await give(repository, '/why')
    const url = `/v1/comment-commands?source_id=${repository.sourceId}`
    const listed = await house.call('GET', `${url}&repository=${repository.fullName.toUpperCase()}&limit=1`)
    assert.equal(listed.status, 200)
    assert.equal(listed.body[0]?.['command'], '/why')
    assert.match(String(listed.headers['link']), /rel="next"/)
    assert.deepEqual((await house.call('GET', `${url}&repository=acme/other`)).body, [])
    assert.equal((await house.call('GET', '/v1/comment-commands')).status, 400)
    assert.equal((await house.call('GET', url, undefined, { headers: { authorization: 'Bearer x' } })).status, 401)
    const unknown = '/v1/comment-commands?source_id=01900000-0000-7000-8000-0000000000ff'
    assert.equal((await house.call('GET', unknown)).status, 404)
    await house.call('POST', '/v1/teams', { path: 'acme/away' })
    const away = await aMember(db, 'away', 'owner', 'acme/away')
    assert.equal((await house.call('GET', url, undefined, { headers: away.headers })).status, 404)
  })
})

describe('GET /v1/runs/{id}/commands', () => {
  const of = (runId: string | undefined, more = '', headers?: Readonly<Record<string, string>>) =>
    house.call('GET', `/v1/runs/${runId}/commands${more}`, undefined, headers && { headers })
  const given = (body: unknown) =>
    Object.values(Object(body)).map((each) => {
      const { command, outcome, author_login: by, acted_as: as } = Object(each)
      return [command, outcome, by, as]
    })

  test('tells a run what was asked for it, newest first, and of what it was repeated', async () => {
    const repository = await aRepository(house, provider)
    const { command } = await give(repository, '/run build')
    await db
      .updateTable('comment_commands')
      .set({ command: '/run build LEVEL=a-value OTHER=' })
      .where('id', '=', String(command?.['id']))
      .execute()
    await give(repository, '/why')
    await give(repository, '/cancel')
    await give(repository, '/rerun')
    assert.equal((await give(repository, '/run nowhere')).state, 'refused')
    const [first, again] = await repository.runs()
    const owner = (await of(again?.id)).body[0]?.['acted_as']
    assert.equal(typeof owner, 'string')
    const [run, cancel, rerun] = [
      ['/run build LEVEL=… OTHER=…', 'started', 'mona', owner],
      ['/cancel', 'canceled', 'mona', owner],
      ['/rerun', 'rerun', 'mona', owner],
    ]
    const { status, body } = await of(first?.id)
    assert.deepEqual([status, given(body)], [200, [rerun, cancel, run]])
    assert.deepEqual(given((await of(again?.id)).body), [rerun])
    // Nothing in it names another run, a source or a delivery.
    assert.doesNotMatch(JSON.stringify(body), new RegExp(`${again?.id}|${repository.sourceId}|a-value`))
    assert.partialDeepStrictEqual(body[0], { repository: repository.fullName, pull_request: 7, author_id: '583231' })
  })

  test('changes for open pages of the runs that a command is about, with its commit', async () => {
    const repository = await aRepository(house, provider)
    await repository.open()
    await give(repository, '/cancel')
    const [first] = await repository.runs()
    const { notifications } = house.kit.database
    const heard: (string | undefined)[] = []
    const end = notifications.listen('run_changed', (payload) => void heard.push(payload))
    await notifications.ready()
    // Notifications come in the order of their transactions.
    const mark = async (name: string) => {
      await sql`select pg_notify('run_changed', ${name})`.execute(db)
      await until(
        `the mark ${name}`,
        () => heard.indexOf(name),
        (at) => at !== -1,
      )
    }
    await mark('before')
    heard.length = 0
    assert.equal((await give(repository, '/why')).outcome, 'answered')
    await mark('asked')
    assert.deepEqual(heard, ['asked'])
    assert.equal((await give(repository, '/rerun')).outcome, 'rerun')
    await mark('repeated')
    end()
    const again = (await repository.runs()).at(-1)
    assert.deepEqual([heard.includes(String(first?.id)), heard.includes(String(again?.id))], [true, true])
  })

  test('is a list of pages', async () => {
    const repository = await aRepository(house, provider)
    await give(repository, '/run build')
    await give(repository, '/cancel')
    const [run] = await repository.runs()
    const first = await of(run?.id, '?limit=1')
    assert.deepEqual(
      given(first.body).map(([command]) => command),
      ['/cancel'],
    )
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    const { pathname, search } = new URL(next, 'http://127.0.0.1')
    const rest = await house.call('GET', `${pathname}${search}`)
    assert.deepEqual(
      given(rest.body).map(([command]) => command),
      ['/run build'],
    )
    assert.equal(rest.headers['link'], undefined)
  })

  test('is for whoever may read the run, and tells all others nothing', async () => {
    const repository = await aRepository(house, provider)
    await give(repository, '/run build')
    const [run] = await repository.runs()
    const reader = await aMember(db, 'reader-of-runs', 'viewer', TEAM)
    const read = await of(run?.id, '', reader.headers)
    assert.deepEqual([read.status, given(read.body).length], [200, 1])
    await house.call('POST', '/v1/teams', { path: 'acme/apart' })
    const apart = await aMember(db, 'apart', 'editor', 'acme/apart')
    const hidden = await of(run?.id, '', apart.headers)
    const absent = await of('01900000-0000-7000-8000-0000000000ff', '', apart.headers)
    assert.deepEqual([hidden.status, absent.status], [404, 404])
    assert.equal(hidden.body['code'], absent.body['code'])
    assert.equal((await of(run?.id, '', { authorization: 'Bearer x' })).status, 401)
    assert.equal((await of('no-id')).status, 400)
    assert.equal((await of(run?.id, '?limit=0')).status, 400)
    assert.equal((await of(run?.id, '?of=me')).status, 400)
  })

  test('costs the commands of the run, however many there are', async () => {
    const repository = await aRepository(house, provider)
    await give(repository, '/run build')
    const [run] = await repository.runs()
    await db.transaction().execute(async (tx) => {
      await sql`insert into comment_commands (id, source_id, repository_key, repository, pull_request, comment_id,
          delivery_record_id, event_id, event, body_sha256, state, command, outcome, run_ids, received_at, decided_at)
        select gen_random_uuid(), ${repository.sourceId}, 'k', 'acme/k', 1, 'many-' || n, gen_random_uuid(),
          gen_random_uuid(), '{}', '', 'done', '/cancel', 'canceled', array[gen_random_uuid()], now(), now()
        from generate_series(1, 5000) as n`.execute(tx)
      await sql`set local default_statistics_target = 1000`.execute(tx)
      await sql`analyze comment_commands`.execute(tx)
    })
    const query = commandsOfRunQuery(run?.id ?? '', { before: undefined, limit: 50 })
    const read = await countRowsRead(db, query)
    await db.deleteFrom('comment_commands').where('comment_id', 'like', 'many-%').execute()
    assert.ok(read < 50, `${read} rows were read`)
  })
})
