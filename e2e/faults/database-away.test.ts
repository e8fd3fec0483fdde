import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type Answered, createDeliverer, preparePushes, readStored } from '../house/deliverer.ts'
import { type House, makeDataDir, postgresPid, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'

describe('the database is away while deliveries come in', () => {
  let house: House
  let postgres: () => number
  before(async () => {
    const dataDir = makeDataDir()
    house = await startHouse({ dataDir })
    postgres = () => postgresPid(dataDir)
  })
  after(() => house.stop())

  async function startingTeam(path: string): Promise<Team> {
    const team = await makeTeam(house.api, path)
    await house.api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, { rate_limit: { per_minute: 1_000_000 } })
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
    return team
  }

  /** 202, or 503 that says when to come back; never 500, never no answer. */
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
      // As pg_ctl stop -m immediate: no transaction under way is finished.
      process.kill(postgres(), 'SIGQUIT')
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
    const stopped = [postgres(), ...childrenOf(postgres())]
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    let first: readonly Answered[]
    try {
      // Each is answered while the database still stands, after the 8 s that a delivery waits for its commit.
      first = await Promise.all(pushes.map((push) => client.send(push)))
      assert.equal(await livez(), 200)
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    }
    judge(first)
    assert.ok(first.every(({ status }) => status === 503))
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${house.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
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
})

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number)
}

/** 0 where it has ended meanwhile. */
function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}
