import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type GithubForge, startGithub } from '../forge/github/index.ts'
import type { House } from '../house/house.ts'
import { type MovedHouse, prepareMovedHouse } from '../house/moved-house.ts'
import { waitFor } from '../house/wait.ts'

const REPOSITORY = 'acme/shop'
const DOCUMENT = 'name: build\nsteps: [{ name: s, tasks: [{ name: t, run: "true" }] }]\n'
const LOST = 30
/** Longer than the first pause of a request that brought nothing. */
const PAUSE_MS = 11 * 60_000
const POINTS = ['recovery.before_request:8', 'recovery.after_request:8'] as const

interface Delivery {
  readonly id: string
  readonly delivery_id: string
  readonly event_type: string
  readonly recovered: boolean
  readonly missed_at: string | null
}
interface Run {
  readonly run_id: string
  readonly commit_sha: string
}
interface Recovery {
  readonly state: string
  readonly provider_delivery_id: string
}

/** Nobody sends again by himself what failed meanwhile; the control plane asks for it when it is back. */
describe('while the control plane is away deliveries fail', () => {
  const ends = new AsyncDisposableStack()
  let forge: GithubForge
  let lives: MovedHouse
  let house: House
  let sourceId: string

  before(async () => {
    lives = ends.use(await prepareMovedHouse())
    forge = await startGithub()
    ends.defer(() => forge.close())
    await forge.addRepository(REPOSITORY, { files: { 'word.txt': 'first\n' } })
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
    const begun = await house.api.send<{ url: string; manifest: unknown }>(
      'POST',
      '/v1/git-apps/github/register/start',
      { organization: 'acme', team_path: 'shop', base_url: forge.url, callback_url: house.url },
    )
    await fetch(await forge.confirmRegistration(begun.url, begun.manifest), { redirect: 'manual' })
    const installing = await house.api.send<{ url: string }>('POST', '/v1/git-apps/github/install/start')
    const back = await forge.confirmInstallation(installing.url, { account: 'acme', repositories: ['shop'] })
    await fetch(back, { redirect: 'manual' })
    sourceId = (await house.api.get<{ source_id: string }>('/v1/git-apps/github')).source_id
    await house.api.send('POST', '/v1/triggers', {
      name: 'pushes',
      team_path: 'shop',
      source_id: sourceId,
      repositories: [REPOSITORY],
      events: ['push'],
      pipeline: 'shop/build',
      scope: 'shop/test',
    })
  }

  const path = () => `/v1/git-webhook-sources/${sourceId}`
  const lookNow = () => house.api.send('POST', `${path()}/recoveries`)
  const pushes = () => house.api.get<readonly Delivery[]>(`${path()}/deliveries?event_type=push&limit=500`)
  const recoveries = () => house.api.get<readonly Recovery[]>(`${path()}/recoveries?limit=500`)
  const runs = () => house.api.get<readonly Run[]>('/v1/runs?limit=500')

  /** So many pushes; answers their commits. */
  async function push(count: number, word: string): Promise<readonly string[]> {
    const shas: string[] = []
    for (let at = 0; at < count; at++) {
      const files = { 'word.txt': `${word} ${at}\n` }
      shas.push((await forge.push(REPOSITORY, { files, by: 'grace' })).after)
    }
    await forge.mailbox.settle()
    return shas
  }

  /** The time of the control plane and of the provider. */
  function letPass(ms: number): void {
    lives.letPass(ms)
    forge.clock.advance(ms)
  }

  /** The provider's ids of pushes that failed so far and never came. */
  function lostIds(): ReadonlySet<string> {
    const ofPushes = forge.mailbox.deliveries.filter(({ letter }) => letter.event === 'push')
    const came = new Set(ofPushes.filter(({ statusCode }) => statusCode === 202).map(({ guid }) => guid))
    return new Set(ofPushes.map(({ guid }) => guid).filter((guid) => !came.has(guid)))
  }

  /** Each is there once and marked, it started one run, and what came at once is not marked. */
  async function assertThereOnce(lost: ReadonlySet<string>, commits: readonly string[]): Promise<void> {
    const all = await pushes()
    const found = all.filter(({ recovered }) => recovered)
    const ids = found.map(({ delivery_id: id }) => id).filter((id) => lost.has(id))
    assert.deepEqual(ids.toSorted(), [...lost].toSorted())
    assert.ok(found.every(({ missed_at: at }) => at !== null))
    const started = (await runs()).map(({ commit_sha: sha }) => sha).filter((sha) => commits.includes(sha))
    assert.deepEqual(started.toSorted(), commits.toSorted())
  }

  test('for an hour: when it is back, all that was lost is there once, marked, and started its run once', async () => {
    const [seen = ''] = await push(1, 'seen')
    await waitFor('the first push', runs, (all) => all.some(({ commit_sha: sha }) => sha === seen))
    await house.stop()
    const commits = await push(LOST, 'lost')
    const lost = lostIds()
    assert.equal(lost.size, LOST)
    letPass(60 * 60_000)
    house = await lives.start()
    await lookNow()
    const isBack = (all: readonly Delivery[]) => all.filter(({ recovered }) => recovered).length === LOST
    await waitFor('what was lost', pushes, isBack, 120_000)
    await forge.mailbox.settle()
    await lookNow()
    const isDone = (all: readonly Recovery[]) => all.filter(({ state }) => state === 'recovered').length === LOST
    await waitFor('a look that finds it', recoveries, isDone, 120_000)
    await assertThereOnce(lost, commits)
    const first = (await pushes()).filter(({ recovered }) => !recovered)
    assert.equal(first.length, 1, 'what came at once is not marked')
    const { recovery } = await house.api.get<{ recovery: object }>(`${path()}/health`)
    assert.partialDeepStrictEqual(recovery, { gap: null, missing: 0, recovered_7_days: LOST, reason: null })
  })

  test('and it is killed twice while it asks: each is asked for until it came, and is there once', async () => {
    await house.stop()
    const commits = await push(LOST, 'killed')
    const lost = lostIds()
    assert.equal(lost.size, LOST)
    for (const point of POINTS) {
      lives.disarm()
      // The look of every five minutes must not come before the point is armed.
      await waitFor(
        'a while without a look',
        async () => Date.now() % 300_000,
        (since) => since < 180_000,
        180_000,
      )
      house = await lives.start(point)
      lives.arm()
      await lookNow()
      assert.equal(await house.ended, 'SIGKILL', house.output())
      await forge.mailbox.settle()
    }
    house = await lives.start()
    letPass(PAUSE_MS)
    const back = async () => {
      await lookNow()
      return await recoveries()
    }
    const isDone = (all: readonly Recovery[]) =>
      all.filter((one) => lost.has(one.provider_delivery_id) && one.state === 'recovered').length === LOST
    await waitFor('what was lost', back, isDone, 120_000)
    await forge.mailbox.settle()
    await assertThereOnce(lost, commits)
    forge.assertQuiet()
  })
})
