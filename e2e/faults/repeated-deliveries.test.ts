import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { createDeliverer, type PreparedDelivery, preparePushes, readStored } from '../house/deliverer.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { makePipeline, makeTeam, makeTrigger, REPOSITORY, type Team } from '../house/team.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'
const DELIVERIES = 1000
const COPIES = 10

describe('deliveries that come many times, or in another order than they were sent', () => {
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
    // 503 is said only on a machine so busy that a commit takes seconds.
    const answers = await Promise.all(copies.map((push) => client.insist(push)))
    assert.deepEqual(new Set(answers.map((own) => own.at(-1)?.status)), new Set([202]))
    assert.ok(answers.flat().every(({ status }) => status === 202 || status === 503))

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

  test('the later push first, the end of a pull request before its beginning: each is an event of its own', async () => {
    const client = createDeliverer(house.url, team, 1)
    const trigger = { name: 'on-pull-request', team_path: team.path, source_id: team.sourceId, scope: team.scope }
    await house.api.send('POST', '/v1/triggers', {
      ...trigger,
      repositories: [REPOSITORY],
      events: ['pull_request'],
      actions: ['opened', 'closed'],
      pipeline: `${team.path}/build`,
    })
    const [earlier, later] = preparePushes(team, 2, 'in another order')
    const ended = pullRequest(team, 'closed', '2026-11-21T10:00:00Z')
    const opened = pullRequest(team, 'opened', '2026-11-21T09:00:00Z')
    for (const delivery of [later, earlier, ended, opened]) {
      assert.ok(delivery)
      assert.equal((await client.send(delivery)).status, 202)
    }
    client.close()
    const { deliveries, runs } = await readStored(house.api, team)
    for (const delivery of [later, earlier]) assert.equal(runs.get(delivery?.commitSha ?? '')?.length, 1)
    for (const { deliveryId } of [ended, opened]) {
      assert.deepEqual(
        deliveries.get(deliveryId)?.map(({ result, run_ids: ids }) => [result, ids.length]),
        [['accepted', 1]],
      )
    }
  })
})

/** A pull request within one repository, as little of it as an event needs. */
function pullRequest(team: Team, action: 'opened' | 'closed', at: string): PreparedDelivery {
  const repository = { id: 4711, full_name: REPOSITORY }
  const commitSha = '7'.repeat(40)
  const ends = { head: { ref: 'topic', sha: commitSha, repo: repository }, base: { ref: 'main', repo: repository } }
  const state = { state: action === 'closed' ? 'closed' : 'open', merged: false, updated_at: at }
  const payload = { action, number: 7, repository, pull_request: { number: 7, title: 'A change', ...ends, ...state } }
  const body = Buffer.from(JSON.stringify(payload))
  const deliveryId = randomUUID()
  const signature = createHmac('sha256', team.webhookSecret).update(body).digest('hex')
  const headers = {
    'Content-Type': 'application/json',
    'X-GitHub-Delivery': deliveryId,
    'X-GitHub-Event': 'pull_request',
    'X-Hub-Signature-256': `sha256=${signature}`,
  }
  return { deliveryId, commitSha, signed: { headers, body } }
}
