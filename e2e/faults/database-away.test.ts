import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answered, createDeliverer, preparePushes, readStored } from '../house/deliverer.ts'
import { type House, makeDataDir, postgresPid, signalPostgres, startHouse } from '../house/house.ts'
import { familyOf, residentMb, signalAll } from '../house/processes.ts'
import { startRunner } from '../house/runner.ts'
import { runEnd, runLog } from '../house/runs.ts'
import { makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'

/** Long enough for a machine that stands still for seconds. */
const LEASE_SECONDS = 12

describe('the database is away while deliveries come in', () => {
  let house: House
  let postgres: () => number
  before(async () => {
    const dataDir = makeDataDir()
    house = await startHouse({ dataDir, env: { LEASE_SECONDS: String(LEASE_SECONDS), HEARTBEAT_SECONDS: '1' } })
    postgres = () => postgresPid(dataDir)
  })
  after(async () => {
    await house.stop()
    rmSync(house.dataDir, { recursive: true, force: true })
  })

  /** Freezes the whole database until disposed of: connections get neither an answer nor a refusal. */
  function standStill(): Disposable {
    signalPostgres(house.dataDir, 'SIGSTOP')
    const stopped = familyOf(postgres())
    signalAll(stopped, 'SIGSTOP')
    return { [Symbol.dispose]: () => signalAll(stopped, 'SIGCONT') }
  }

  async function startingTeam(path: string): Promise<Team> {
    const team = await makeTeam(house.api, path)
    await house.api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, { rate_limit: { per_minute: 1_000_000 } })
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
    return team
  }

  /** Accepts 202, or 503 with a time to come back; never 500 or a missing answer. */
  function judge(answers: readonly Answered[]): void {
    for (const { status, retryAfter } of answers) {
      assert.ok(status === 202 || status === 503, `${status}`)
      if (status === 503) assert.ok(Number(retryAfter) >= 1, 'a 503 says when to come back')
    }
  }

  const livez = async (): Promise<number> => (await house.api.ask('GET', '/livez')).status

  test('it ends and starts again and again: 503 until it is back, and every delivery starts its run once', async () => {
    const team = await startingTeam('restarts')
    const client = createDeliverer(house.url, team, 16)
    const answers: Answered[] = []
    for (let round = 0; round < 8; round += 1) {
      const pushes = preparePushes(team, 60, `restart ${round}`)
      const taken = pushes.map(async (push) => answers.push(...(await client.insist(push))))
      // SIGQUIT stops as `pg_ctl stop -m immediate` does: no transaction under way is finished.
      signalPostgres(house.dataDir, 'SIGQUIT')
      assert.equal(await livez(), 200)
      await Promise.all(taken)
    }
    client.close()
    judge(answers)
    const { deliveries, runs } = await readStored(house.api, team)
    assert.equal(deliveries.size, 480)
    for (const [id, records] of deliveries) {
      assert.equal(records.filter(({ result }) => result === 'accepted').length, 1, id)
    }
    assert.equal(runs.size, 480)
    assert.equal([...runs.values()].flat().length, 480)
  })

  test('it stands still: senders are told so instead of waiting without end, and nothing of theirs is lost', async () => {
    const team = await startingTeam('stalls')
    const client = createDeliverer(house.url, team, 1500)
    const pushes = preparePushes(team, 1500)
    let first: readonly Answered[]
    {
      using _ = standStill()
      // Each is answered while the database still stands, after the 8 s that a delivery waits for its commit.
      first = await Promise.all(pushes.map((push) => client.send(push)))
      assert.equal(await livez(), 200)
    }
    judge(first)
    assert.ok(first.every(({ status }) => status === 503))
    const resident = residentMb(house.pid)
    assert.ok(resident < 500, `${resident} MB`)

    const again = await Promise.all(pushes.map((push) => client.insist(push)))
    client.close()
    judge(again.flat())
    const { runs } = await readStored(house.api, team)
    assert.equal(runs.size, 1500)
    assert.equal([...runs.values()].flat().length, 1500)
    await waitFor(
      'readiness',
      () => house.api.ask('GET', '/healthz'),
      ({ status }) => status === 200,
    )
  })

  test('it stands still for longer than a lease under a task that may be tried again: the task goes on', async (context) => {
    const team = await makeTeam(house.api, 'leases')
    const runner = await startRunner(house, { scopes: [team.scope] })
    context.after(() => runner.stop())
    const end = join(runner.workDir, 'end')
    const run = `n=0; until test -e ${end}; do n=$((n+1)); echo "line $n"; sleep 0.1; done; echo "last $n"`
    const pipeline = await makePipeline(
      house.api,
      team,
      `name: steady\nsteps:\n  - name: s\n    tasks:\n      - name: t\n        checkout: false\n        idempotent: true\n        run: '${run}'\n`,
    )
    const path = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
    const runId = (await house.api.send<{ run_id: string }>('POST', path, { scope: team.scope })).run_id
    const lines = async (): Promise<string[]> => (await runLog(house.api, runId)).map(({ line }) => line)
    const logged = (count: number): Promise<unknown> => waitFor(`${count} lines`, lines, (some) => some.length >= count)

    await logged(1)
    const since = performance.now()
    {
      using _ = standStill()
      await pause(LEASE_SECONDS * 1000 + 2000)
      assert.equal(await livez(), 200)
    }
    // The lines written meanwhile, and then for as long as it takes to find an ended lease.
    await logged((performance.now() - since) / 100 / 2)
    await logged((await lines()).length + 30)
    writeFileSync(end, '')
    const ended = await runEnd(house.api, runId)
    assert.deepEqual([ended.status, ended.steps[0]?.tasks[0]?.attempt], ['success', 1], JSON.stringify(ended))
    const written = await lines()
    assert.deepEqual(
      written,
      [...written.slice(0, -1).map((_, at) => `line ${at + 1}`), `last ${written.length - 1}`],
      'every line once',
    )
  })
})
