import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type Answered, createDeliverer, type PreparedDelivery, preparePushes, readStored } from '../house/deliverer.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'
const COUNT = 1000
const PARALLEL = 24

/** How each life of the control plane ends; the last one is not killed. */
const DEATHS: readonly (Readonly<Record<string, string>> | 'any moment')[] = [
  { FAIL_POINT: 'ingress.before_commit:5' },
  { FAIL_POINT: 'ingress.after_commit:5' },
  'any moment',
  { FAIL_POINT: 'ingress.after_commit:1' },
  { FAIL_POINT: 'ingress.before_commit:2' },
  'any moment',
  { FAIL_POINT: 'ingress.after_commit:3' },
]

describe('killed with SIGKILL again and again while deliveries come in', () => {
  const dataDir = makeDataDir()
  let ports: { port: number; runnerPort: number }
  let house: House
  let team: Team
  before(async () => {
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await startHouse({ dataDir, ports })
    team = await makeTeam(house.api, 'killed')
    await house.api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, { rate_limit: { per_minute: 1_000_000 } })
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
    await house.stop()
  })
  after(async () => {
    await house.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test(`${COUNT} deliveries, ${DEATHS.length} deaths: what was answered with 2xx is there, with its run, exactly once`, async () => {
    const left = preparePushes(team, COUNT)
    const answers = new Map<PreparedDelivery, Answered[]>(left.map((delivery) => [delivery, []]))
    const client = createDeliverer(house.url, team, PARALLEL)
    for (const death of [...DEATHS, 'none' as const]) {
      house = await startHouse({ dataDir, ports, ...(typeof death === 'string' ? {} : { env: death }) })
      let answered = 0
      const life = { over: false }
      const ended = death === 'none' ? undefined : house.ended.then(() => void (life.over = true))
      const sendAll = async (): Promise<void> => {
        for (;;) {
          const delivery = life.over ? undefined : left.shift()
          if (!delivery) return
          const answer = await client.send(delivery)
          answers.get(delivery)?.push(answer)
          if (answer.status !== 202) left.push(delivery)
          answered += 1
          if (death === 'any moment' && answered === 100) process.kill(house.pid, 'SIGKILL')
        }
      }
      await Promise.all(Array.from({ length: PARALLEL }, sendAll))
      await ended
    }
    client.close()

    const given = [...answers.values()].flat()
    for (const status of [undefined, 202])
      assert.ok(
        given.some((one) => one.status === status),
        `${status} was answered`,
      )
    for (const { status, retryAfter } of given) {
      // 503 is said only on a machine that stands still for seconds.
      const toldToComeBack = status === 503 && Number(retryAfter) >= 1
      assert.ok(status === undefined || status === 202 || toldToComeBack, `${status} ${retryAfter}`)
    }
    const { deliveries, runs } = await readStored(house.api, team)
    for (const [{ deliveryId, commitSha }, own] of answers) {
      assert.equal(own.filter(({ status }) => status === 202).length, 1)
      const records = deliveries.get(deliveryId) ?? []
      const accepted = records.filter(({ result }) => result === 'accepted')
      assert.equal(accepted.length, 1, `${deliveryId} is stored ${JSON.stringify(records)}`)
      assert.ok(records.every(({ result }) => result === 'accepted' || result === 'duplicate'))
      assert.deepEqual(
        (runs.get(commitSha) ?? []).map((run) => run.run_id),
        accepted[0]?.run_ids,
      )
    }
    assert.equal(runs.size, COUNT)
    assert.equal([...runs.values()].flat().length, COUNT)
  })
})
