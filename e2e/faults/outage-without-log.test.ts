import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ConnectedForge, startConnected } from '../forge/connected/index.ts'
import type { House } from '../house/house.ts'
import { type MovedHouse, prepareMovedHouse } from '../house/moved-house.ts'
import { waitFor } from '../house/wait.ts'

const REPOSITORY = 'acme/shop'
const DOCUMENT = 'name: build\nsteps: [{ name: s, tasks: [{ name: t, run: "true" }] }]\n'
/** Longer than a delivery is waited for. */
const GRACE_MS = 4 * 60_000
const ROUND_MS = 5 * 60_000
const POINTS = ['recovery.before_make:1', 'recovery.after_make:2'] as const

interface Recovery {
  readonly kind: string
  readonly ref: string
  readonly before_sha: string | null
  readonly head_sha: string
  readonly event_id: string
}
interface Event {
  readonly id: string
  readonly kind: string
  readonly commit_sha: string
  readonly result: string
  readonly recovered: boolean
  readonly missed_at: string | null
}
interface Run {
  readonly run_id: string
  readonly commit_sha: string
}

/** Gitea keeps no log of what it sent, and sends nothing again: its heads tell what was missed. */
describe('while the control plane is away, a forge without a log changes', () => {
  const ends = new AsyncDisposableStack()
  let forge: ConnectedForge
  let lives: MovedHouse
  let house: House
  let sourceId: string

  before(async () => {
    lives = ends.use(await prepareMovedHouse())
    forge = await startConnected('gitea')
    ends.defer(() => forge.close())
    await forge.addRepository(REPOSITORY, { files: { 'word.txt': 'first\n' } })
    forge.permit(REPOSITORY, 'bot', 'admin')
    forge.permit(REPOSITORY, 'grace', 'write')
    house = await lives.start()
    ends.defer(() => house.stop())
    await house.api.send('POST', '/v1/teams', { path: 'shop' })
    await house.api.send('POST', '/v1/teams/shop/environments', { name: 'test' })
    await house.api.send('POST', '/v1/pipelines', { team_path: 'shop', document: DOCUMENT })
    await connect()
  })
  after(() => ends.disposeAsync())

  async function connect(): Promise<void> {
    const { send } = house.api
    await send('POST', '/v1/secrets', { team_path: 'shop', name: 'hook', value: 'what proves a delivery' })
    await send('POST', '/v1/secrets', { team_path: 'shop', name: 'reads', value: forge.addToken('bot') })
    const made = await send<{ id: string }>('POST', '/v1/git-webhook-sources', {
      name: 'gitea',
      provider: 'gitea',
      team_path: 'shop',
      auth_mode: 'signature',
      credential_ref: 'secret:shop/hook',
      base_url: forge.url,
      checkout_credential_ref: 'secret:shop/reads',
      repository_allowlist: ['acme/*'],
    })
    sourceId = made.id
    await send('POST', `/v1/git-webhook-sources/${sourceId}/connections`, { repository: REPOSITORY })
    await send('POST', '/v1/triggers', {
      name: 'changes',
      team_path: 'shop',
      source_id: sourceId,
      repositories: [REPOSITORY],
      events: ['push', 'pull_request'],
      pipeline: 'shop/build',
      scope: 'shop/test',
    })
  }

  const path = () => `/v1/git-webhook-sources/${sourceId}`
  const lookNow = () => house.api.send('POST', `${path()}/recoveries`)
  const recoveries = () => house.api.get<readonly Recovery[]>(`${path()}/recoveries?limit=100`)
  const events = () => house.api.get<readonly Event[]>('/v1/events?limit=500')
  const runs = () => house.api.get<readonly Run[]>('/v1/runs?limit=500')
  const standing = () => house.api.get<{ looked_at: string | null }>(`${path()}/recovery`)

  async function push(branch: string, word: string): Promise<string> {
    const files = { [`${branch}.txt`]: `${word}\n` }
    return (await forge.push(REPOSITORY, { ref: `refs/heads/${branch}`, files, by: 'grace' })).after
  }

  /** Answers by how much the time is ahead. */
  function letPass(ms: number): number {
    forge.clock.advance(ms)
    return lives.letPass(ms)
  }

  /** While nobody is there; then the look of every five minutes is far. */
  function letPassUnseen(ms: number): void {
    const phase = (Date.now() + letPass(ms)) % ROUND_MS
    letPass((ROUND_MS + 10_000 - phase) % ROUND_MS)
  }

  /** A look that ended after now. */
  async function look(): Promise<void> {
    const earlier = (await standing()).looked_at
    await lookNow()
    await waitFor('a look', standing, ({ looked_at: at }) => at !== earlier, 60_000)
  }

  const startedFor = async (commits: readonly string[]) =>
    (await runs()).map(({ commit_sha: sha }) => sha).filter((sha) => commits.includes(sha))

  test('for an hour, and it is killed twice while it makes up for that: each change starts one run', async () => {
    const seen = await push('main', 'seen')
    // Only what the webhook is known to send is made.
    await push('earlier', 'seen, too')
    await forge.openPull(REPOSITORY, { head: 'earlier', by: 'grace' })
    await forge.mailbox.settle()
    await waitFor('the first push', runs, (all) => all.some(({ commit_sha: sha }) => sha === seen))
    letPass(60_000)
    await lookNow()
    await waitFor('the first look', standing, ({ looked_at: at }) => at !== null, 60_000)
    await house.stop()

    const passed = await push('main', 'passed')
    const heads = [await push('main', 'last'), await push('topic', 'new'), await push('fix', 'new, too')]
    const { number } = await forge.openPull(REPOSITORY, { head: 'topic', by: 'grace' })
    await forge.mailbox.settle()
    letPassUnseen(60 * 60_000)

    house = await lives.start()
    await look()
    await house.stop()
    for (const point of POINTS) {
      lives.disarm()
      letPassUnseen(GRACE_MS)
      // What was asked for before the first death may be done as soon as the process is there, and end it then.
      if (point !== POINTS[0]) lives.arm()
      const dying = await lives.start(point).catch((error: unknown) => {
        assert.match(String(error), /ended \(SIGKILL\)/)
        return undefined
      })
      if (!dying) continue
      house = dying
      lives.arm()
      await lookNow().catch(() => undefined)
      assert.equal(await house.ended, 'SIGKILL', house.output())
    }
    house = await lives.start()
    const back = async () => {
      letPass(GRACE_MS)
      await lookNow()
      return recoveries()
    }
    await waitFor('what was missed', back, (all) => all.length >= 4, 120_000)
    const made = await recoveries()
    assert.deepEqual(made.map(({ kind, ref }) => `${kind} ${ref}`).toSorted(), [
      'made refs/heads/fix',
      'made refs/heads/main',
      'made refs/heads/topic',
      `made refs/pull/${number}/head`,
    ])
    assert.equal(made.find(({ ref }) => ref === 'refs/heads/main')?.before_sha, seen)
    const marked = (await events()).filter(({ recovered }) => recovered)
    assert.deepEqual(marked.map(({ id }) => id).toSorted(), made.map((one) => one.event_id).toSorted())
    assert.ok(marked.every(({ missed_at: at }) => at !== null))
    // The branch of the pull request was pushed, too: two changes of one commit.
    const expected = [...heads, heads[1] ?? ''].toSorted()
    assert.deepEqual((await startedFor([passed, ...heads])).toSorted(), expected)

    const failed = forge.mailbox.deliveries.filter(({ statusCode }) => statusCode >= 500)
    assert.equal(failed.length, 5, JSON.stringify(failed.map(({ letter }) => [letter.event, letter.payload])))
    for (const delivery of failed) forge.mailbox.redeliver(delivery)
    await forge.mailbox.settle()
    const late = (await events()).filter(({ recovered }) => !recovered)
    assert.equal(late.filter(({ result }) => result === 'duplicate').length, 5, JSON.stringify(late))
    await look()
    letPass(GRACE_MS)
    await look()
    assert.equal((await recoveries()).length, 4)
    assert.deepEqual((await startedFor([passed, ...heads])).toSorted(), expected)

    const next = await push('main', 'next')
    await forge.mailbox.settle()
    await waitFor('the next push', runs, (all) => all.some(({ commit_sha: sha }) => sha === next))
    const { recovery } = await house.api.get<{ recovery: object }>(`${path()}/health`)
    assert.partialDeepStrictEqual(recovery, { gap: null, missing: 0, recovered_7_days: 4, reason: null })
    forge.assertQuiet()
  })
})
