import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { createDeliverer, preparePushes, readStored } from '../house/deliverer.ts'
import { freePort, type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'
const DELIVERIES = 1000
const COPIES = 10

describe('deliveries that come many times', () => {
  const dataDir = makeDataDir()
  let ports: { port: number; runnerPort: number }
  let house: House
  let team: Team
  before(async () => {
    ports = { port: await freePort(), runnerPort: await freePort() }
    house = await startHouse({ dataDir, ports })
    team = await makeTeam(house.api, 'repeated')
    await house.api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, { rate_limit: { per_minute: 1_000_000 } })
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
  })
  after(async () => {
    await house.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test(`${DELIVERIES} deliveries, ${COPIES} copies of each at the same time and one more after a crash, start ${DELIVERIES} runs`, async () => {
    const pushes = preparePushes(team, DELIVERIES)
    const client = createDeliverer(house.url, team, 64)
    // Copies of one delivery stand beside each other, so that they are under way together.
    const copies = pushes.flatMap((push) => Array.from({ length: COPIES }, () => push))
    const answers = await Promise.all(copies.map((push) => client.send(push)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))

    await house.kill('SIGKILL')
    house = await startHouse({ dataDir, ports })
    const again = await Promise.all(pushes.map((push) => client.insist(push)))
    client.close()
    assert.deepEqual(new Set(again.map((own) => own.at(-1)?.status)), new Set([202]))

    const { deliveries, runs } = await readStored(house.api, team)
    assert.equal(runs.size, DELIVERIES)
    assert.equal([...runs.values()].flat().length, DELIVERIES)
    for (const { deliveryId, commitSha } of pushes) {
      const records = deliveries.get(deliveryId) ?? []
      const accepted = records.filter(({ result }) => result === 'accepted')
      assert.equal(accepted.length, 1)
      assert.ok(records.length > COPIES)
      for (const record of records) {
        assert.equal(record.status_code, 202)
        if (record !== accepted[0]) assert.deepEqual([record.result, record.run_ids], ['duplicate', []])
      }
      assert.deepEqual(accepted[0]?.run_ids, [runs.get(commitSha)?.[0]?.run_id])
    }
  })
})
