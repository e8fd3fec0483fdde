import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { spawnerOf } from '../../runner/src/testing/processes.ts'
import { makeDataDir } from '../house/house.ts'
import { type Mark, type Marks, openMarks } from '../house/marks.ts'
import { type RunDetail, runEnd, runLog } from '../house/runs.ts'
import { type ControlPlane, type RemoteRunner, type SharedHouse, startSharedHouse } from '../house/shared-house.ts'
import { watchSilence } from '../house/silence.ts'
import { makePipeline, makeTeam, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

/** Long enough for machines that stand still for seconds, and shorter than the database is away. */
const LEASE_SECONDS = 15
/** The sweep of a machine that does much else at the same time. */
const LATE_MS = 2000 + 3000
/** Control planes that stood still for longer give every attempt the full time anew. */
const TOLERATED_GAP_MS = 5000

describe('runners that are lost, cut off or wrong about the time, and two control planes', () => {
  const gates = makeDataDir()
  let marks: Marks
  let shared: SharedHouse
  let planes: readonly [ControlPlane, ControlPlane]
  let team: Team
  before(async () => {
    marks = openMarks()
    shared = await startSharedHouse(2, { LEASE_SECONDS: String(LEASE_SECONDS), HEARTBEAT_SECONDS: '1' })
    const [first, second] = shared.planes
    assert.ok(first && second)
    planes = [first, second]
    team = await makeTeam(first.api, 'lost')
  })
  afterEach(() => shared.endRunners())
  after(async () => {
    await shared.stop()
    marks[Symbol.dispose]()
    rmSync(gates, { recursive: true, force: true })
  })

  /** Runners that take nothing but what runs in an environment of their own. */
  async function place(name: string, count: number, capacity = 2): Promise<{ scope: string; runners: RemoteRunner[] }> {
    await planes[0].api.send('POST', `/v1/teams/${team.path}/environments`, { name })
    const scope = `${team.path}/${name}`
    const runners: RemoteRunner[] = []
    for (let at = 1; at <= count; at += 1) {
      runners.push(
        await shared.addRunner(`${name}-${at}`, { capacity, scopes: [scope], flags: ['--executors', 'host'] }),
      )
    }
    return { scope, runners }
  }

  /** What tasks wait at until it is opened. */
  function gate(name: string): { readonly wait: string; open(): void } {
    const file = join(gates, name)
    return { wait: `until [ -e ${file} ]; do sleep 0.05; done`, open: () => writeFileSync(file, '') }
  }

  /**
   * The first attempt of the only task is lost, as if its runner had been silent for as long as a lease. Again and again,
   * because control planes that stood still themselves give everybody the full time anew.
   */
  const loseFirst = (runId: string): Promise<unknown> =>
    waitFor(
      'the first attempt to be lost',
      () =>
        shared.database.query(
          `update attempts set lease_expires_at = 'epoch' where run_id = $1 and number = 1 and status = 'leased' returning id`,
          [runId],
        ),
      (left) => left.length === 0,
    )

  /** One task, or two side by side; `script` may say `mark <word>`. */
  function document(name: string, tasks: Readonly<Record<string, readonly [more: string, script: string]>>): string {
    const written = Object.entries(tasks).map(
      ([task, [more, script]]) =>
        `      - name: ${task}\n${more}        run: |\n          ${marks.shell}\n          ${script.replaceAll('\n', '\n          ')}\n`,
    )
    return `name: ${name}\ncheckout: false\nsteps:\n  - name: work\n    tasks:\n${written.join('')}`
  }

  async function start(text: string, scope: string): Promise<string> {
    return startAgain(await makePipeline(planes[0].api, team, text), scope)
  }

  async function startAgain(pipeline: string, scope: string): Promise<string> {
    const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    return (await planes[0].api.send<{ run_id: string }>('POST', path, { scope })).run_id
  }

  const marksOf = (runId: string, mark: string): readonly Mark[] =>
    marks.read().filter((one) => one.runId === runId && one.mark === mark)

  const untilMarked = (runId: string, mark: string, count = 1): Promise<readonly Mark[]> =>
    waitFor(
      `${count} times ${mark}`,
      async () => marksOf(runId, mark),
      (some) => some.length >= count,
    )

  const taskOf = (run: RunDetail, name: string) =>
    run.steps.flatMap(({ tasks }) => tasks).find((one) => one.name === name)

  /** The runner that has an attempt in hand. */
  async function holderOf(runId: string, runners: readonly RemoteRunner[]): Promise<RemoteRunner> {
    const { api } = planes[0]
    const run = await api.get<Attempted>(`/v1/runs/${runId}`)
    const id = run.steps.flatMap(({ tasks }) => tasks).flatMap(({ attempts }) => attempts)[0]?.runner_id
    const known = await api.get<{ id: string; name: string }[]>('/v1/runners')
    const holder = runners.find(({ name }) => known.some((one) => one.id === id && one.name === name))
    assert.ok(holder, 'the attempt names its runner')
    return holder
  }

  test('kill -9 of a runner in the middle of tasks: lost in time; what may be is tried again elsewhere; another goes on', async () => {
    const { scope, runners } = await place('killed', 2, 1)
    const text = document('killed', {
      one: ['        idempotent: true\n', 'mark begin\ntest "$SIGNALBOX_ATTEMPT" = 2 || sleep 600\nmark end'],
    })
    const runId = await start(text, scope)
    await untilMarked(runId, 'begin')
    const holder = await holderOf(runId, runners)
    const other = await start(document('beside', { one: ['', 'mark begin\nsleep 8\nmark end'] }), scope)
    await untilMarked(other, 'begin')
    await using silence = watchSilence(planes.map(({ url }) => url))
    const killedAt = Date.now()
    await holder.process?.kill('SIGKILL')
    const run = await runEnd(planes[1].api, runId)
    assert.deepEqual([run.status, taskOf(run, 'one')?.attempt], ['success', 2], JSON.stringify(run))
    const [lost] = await attemptsOf(planes[0], runId)
    assert.equal(lost?.status, 'lost')
    const took = Date.parse(lost?.finished_at ?? '') - killedAt
    const leases = 1 + silence.longerThan(TOLERATED_GAP_MS).length
    const bound = leases * LEASE_SECONDS * 1000 + LATE_MS + silence.longest()
    assert.ok(took <= bound, `lost after ${took} ms, later than ${bound} ms`)
    const beside = await runEnd(planes[0].api, other)
    assert.deepEqual([beside.status, marksOf(other, 'begin').length, marksOf(other, 'end').length], ['success', 1, 1])
  })

  test('kill -9 of the process that starts the tasks of a runner: what may be is tried again at once; another fails and says why', async () => {
    const { scope, runners } = await place('spawner', 1)
    const script = 'mark begin\ntest "$SIGNALBOX_ATTEMPT" = 2 || sleep 600\nmark end'
    const again = await start(document('again', { one: ['        idempotent: true\n', script] }), scope)
    const once = await start(document('once', { one: ['', script] }), scope)
    await untilMarked(again, 'begin')
    await untilMarked(once, 'begin')
    const spawner = spawnerOf(runners[0]?.process?.pid ?? 0)
    const killedAt = Date.now()
    process.kill(spawner, 'SIGKILL')
    const run = await runEnd(planes[0].api, again)
    assert.deepEqual([run.status, taskOf(run, 'one')?.attempt], ['success', 2], JSON.stringify(run))
    const [lost] = await attemptsOf(planes[0], again)
    assert.equal(lost?.status, 'lost')
    assert.ok(Date.parse(lost?.finished_at ?? '') - killedAt < LEASE_SECONDS * 1000, 'the runner says so itself')
    const failed = await runEnd(planes[0].api, once)
    assert.equal(failed.status, 'failure')
    assert.match(taskOf(failed, 'one')?.reason ?? '', /process that starts tasks ended \(SIGKILL\)/)
    assert.equal(marksOf(once, 'begin').length, 1)
  })

  test('a task that takes its runner with it is stopped as poison after the third', async () => {
    const { scope, runners } = await place('poison', 1)
    const [runner] = runners
    assert.ok(runner)
    const runId = await start(
      document('poison', { deadly: ['        idempotent: true\n', 'mark begin\nsleep 600'] }),
      scope,
    )
    for (let life = 1; life <= 3; life += 1) {
      await untilMarked(runId, 'begin', life)
      await runner.process?.kill('SIGKILL')
      runner.process = undefined
      await shared.startRunner(runner)
    }
    const run = await runEnd(planes[0].api, runId)
    assert.deepEqual([run.status, run.reason], ['failure', 'stopped: it lost its runner 3 times'])
    assert.equal(marksOf(runId, 'begin').length, 3)
    const harmless = await start(document('harmless', { one: ['', 'mark begin'] }), scope)
    assert.equal((await runEnd(planes[0].api, harmless)).status, 'success', 'the runner takes others')
  })

  test('cut off and back before its lease is over, with a finished attempt: it is counted once', async () => {
    const { scope, runners } = await place('short', 1)
    const [runner] = runners
    assert.ok(runner)
    const runId = await start(document('short', { one: ['', 'mark begin\nsleep 1\necho told\nmark end'] }), scope)
    await untilMarked(runId, 'begin')
    runner.proxy.setWeather({ kind: 'partition' })
    await untilMarked(runId, 'end')
    runner.proxy.cut()
    runner.proxy.setWeather({ kind: 'fair' })
    const run = await runEnd(planes[0].api, runId)
    assert.deepEqual([run.status, taskOf(run, 'one')?.attempt], ['success', 1], JSON.stringify(run))
    assert.equal(marksOf(runId, 'begin').length, 1)
    assert.deepEqual(await linesOf(planes[0], runId), ['told'])
  })

  test('cut off for longer, and back with a finished attempt: it was lost, another one counts, and the late result changes nothing', async () => {
    const { scope, runners } = await place('long', 2, 1)
    const text = document('long', {
      one: ['        idempotent: true\n', 'mark begin\nsleep 1\necho "told $SIGNALBOX_ATTEMPT"\nmark end'],
    })
    const runId = await start(text, scope)
    await untilMarked(runId, 'begin')
    const holder = await holderOf(runId, runners)
    holder.proxy.setWeather({ kind: 'partition' })
    await untilMarked(runId, 'end')
    await loseFirst(runId)
    const run = await runEnd(planes[1].api, runId)
    assert.deepEqual([run.status, taskOf(run, 'one')?.attempt], ['success', 2], JSON.stringify(run))
    holder.proxy.setWeather({ kind: 'fair' })
    await waitFor(
      'the runner to be back',
      () => planes[0].api.get<{ name: string; connected: boolean }[]>('/v1/runners'),
      (known) => known.some(({ name, connected }) => name === holder.name && connected),
    )
    // The runner takes work again: its reports were answered before.
    const [next, last] = [await start(document('next', { one: ['', 'sleep 1'] }), scope), await startOther()]
    assert.equal((await runEnd(planes[0].api, next)).status, 'success')
    assert.equal((await runEnd(planes[0].api, last)).status, 'success')
    const attempts = await attemptsOf(planes[0], runId)
    assert.deepEqual(
      attempts.map(({ status }) => status),
      ['lost', 'success'],
    )
    assert.equal((await planes[0].api.get<RunDetail>(`/v1/runs/${runId}`)).status, 'success')
    assert.deepEqual((await linesOf(planes[0], runId)).filter((line) => line.startsWith('told')).at(-1), 'told 2')

    async function startOther(): Promise<string> {
      return start(document('other', { one: ['', 'sleep 1'] }), scope)
    }
  })

  test('two runners and two control planes race for the same attempts: each is begun once', async () => {
    const { scope, runners } = await place('race', 2, 4)
    // The first ones take all places of both, and only then the others begin.
    const { wait, open } = gate('race')
    const text = document('race', { one: ['', `mark begin\n${wait}`] })
    const pipeline = await makePipeline(planes[0].api, team, text)
    const runIds = await Promise.all(Array.from({ length: 40 }, () => startAgain(pipeline, scope)))
    const begunOf = () => marks.read().filter(({ runId }) => runIds.includes(runId))
    await waitFor(
      'all places to be taken',
      async () => begunOf().length,
      (begun) => begun >= 2 * 4,
    )
    open()
    for (const runId of runIds) assert.equal((await runEnd(planes[0].api, runId)).status, 'success')
    const begun = Map.groupBy(begunOf(), ({ runId }) => runId)
    assert.equal(begun.size, runIds.length)
    for (const [runId, some] of begun) assert.equal(some.length, 1, runId)
    const used = new Set<string | null>()
    for (const runId of runIds) for (const attempt of await attemptsOf(planes[1], runId)) used.add(attempt.runner_id)
    assert.equal(used.size, runners.length, 'both took their share')
  })

  test('one of two control planes is killed: the other one takes over its runners, and nothing is lost', async () => {
    const { scope } = await place('shared', 2, 3)
    // No task ends before the other control plane has taken over.
    const { wait, open } = gate('shared')
    const count = `mark begin\ni=0; while [ $i -lt 40 ]; do echo "line $i"; i=$((i+1)); sleep 0.1; done\n${wait}\nmark end`
    const pipeline = await makePipeline(planes[0].api, team, document('shared', { one: ['', count] }))
    const runIds = await Promise.all(Array.from({ length: 6 }, () => startAgain(pipeline, scope)))
    for (const runId of runIds) await untilMarked(runId, 'begin')
    await planes[0].house?.kill('SIGKILL')
    open()
    const expected = Array.from({ length: 40 }, (_, at) => `line ${at}`)
    for (const runId of runIds) {
      const run = await runEnd(planes[1].api, runId)
      assert.deepEqual([run.status, taskOf(run, 'one')?.attempt], ['success', 1], JSON.stringify(run))
      assert.equal(marksOf(runId, 'begin').length, 1)
      assert.deepEqual(await linesOf(planes[1], runId), expected)
    }
    await shared.startPlane(planes[0])
  })

  test('the clock of a runner jumps by an hour, and by a month back: its attempts go on, and so do their time-outs', async () => {
    const { scope, runners } = await place('clock', 1)
    const [runner] = runners
    assert.ok(runner)
    const runId = await start(
      document('clock', {
        long: ['        timeout: 60s\n', 'mark begin\nsleep 8\necho done\nmark end'],
        slow: ['        timeout: 9s\n', 'mark begin\nsleep 60'],
      }),
      scope,
    )
    await untilMarked(runId, 'begin', 2)
    runner.jumpClock(3_600_000)
    await waitFor(
      'a heartbeat or two',
      async () => marksOf(runId, 'begin')[0]?.at ?? Date.now(),
      (begunAt) => Date.now() - begunAt > 3000,
    )
    runner.jumpClock(-30 * 24 * 3_600_000)
    const run = await runEnd(planes[0].api, runId)
    assert.deepEqual([taskOf(run, 'long')?.status, taskOf(run, 'long')?.attempt], ['success', 1], JSON.stringify(run))
    assert.deepEqual([taskOf(run, 'slow')?.status, taskOf(run, 'slow')?.attempt], ['timed_out', 1])
  })

  test('the database is stopped for 20 s: tasks go on, and their lines and results come in afterwards', async () => {
    const { scope } = await place('away', 2)
    const count = 'mark begin\ni=0; while [ $i -lt 200 ]; do echo "line $i"; i=$((i+1)); sleep 0.1; done\nmark end'
    const text = document('away', {
      again: ['        idempotent: true\n', count],
      short: ['', 'mark begin\nsleep 5\necho "line 0"\nmark end'],
    })
    const runId = await start(text, scope)
    await untilMarked(runId, 'begin', 2)
    await shared.database.leave(20_000)
    const run = await runEnd(planes[0].api, runId)
    const attempts = run.steps.flatMap(({ tasks }) => tasks).map(({ name, status, attempt }) => [name, status, attempt])
    assert.deepEqual(attempts, [
      ['again', 'success', 1],
      ['short', 'success', 1],
    ])
    const lines = (await runLog(planes[0].api, runId)).filter(({ task }) => task === 'again').map(({ line }) => line)
    assert.deepEqual(
      lines,
      Array.from({ length: 200 }, (_, at) => `line ${at}`),
    )
    assert.equal(marksOf(runId, 'begin').length, 2)
  })
})

interface Attempted {
  readonly steps: readonly {
    readonly tasks: readonly {
      readonly attempts: readonly {
        readonly status: string
        readonly runner_id: string | null
        readonly finished_at: string | null
      }[]
    }[]
  }[]
}

async function attemptsOf({ api }: ControlPlane, runId: string) {
  const run = await api.get<Attempted>(`/v1/runs/${runId}`)
  return run.steps.flatMap(({ tasks }) => tasks).flatMap(({ attempts }) => attempts)
}

async function linesOf({ api }: ControlPlane, runId: string): Promise<string[]> {
  return (await runLog(api, runId)).filter(({ stream }) => stream === 'stdout').map(({ line }) => line)
}
