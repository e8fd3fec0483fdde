import assert from 'node:assert/strict'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Readiness } from '../../contracts/src/health/index.ts'
import type { Preflight } from '../../contracts/src/setup/index.ts'
import { createDeliverer, preparePushes, readStored } from '../house/deliverer.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { onOwnDisk, withoutOwnDisk } from '../house/own-disk.ts'
import { makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'

describe('the disk of the database is full', { skip: withoutOwnDisk }, () => {
  const dataDir = makeDataDir()
  let house: House
  let team: Team
  before(async () => {
    house = await startHouse({ dataDir, within: onOwnDisk('160m', 'DATA_DIR') })
    team = await makeTeam(house.api, 'full')
    await house.api.send('PATCH', `/v1/git-webhook-sources/${team.sourceId}`, { rate_limit: { per_minute: 1_000_000 } })
    await makeTrigger(house.api, team, 'on-push', await makePipeline(house.api, team, PIPELINE))
  })
  after(async () => {
    await house.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('503 while it is, nothing that was answered with 2xx is lost, and it goes on by itself once there is room', async () => {
    // The way into the file system that only that process sees.
    const ballast = join(`/proc/${house.pid}/root`, dataDir, 'ballast')
    assert.deepEqual(await blockers(house), [])
    fill(ballast)
    await assertNotReady(house)
    const pushes = preparePushes(team, 1500)
    const client = createDeliverer(house.url, team, 16)
    const first = await Promise.all(pushes.map((push) => client.send(push)))
    assert.ok(
      first.every(({ status }) => status === 202 || status === 503),
      JSON.stringify(
        Map.groupBy(first, ({ status }) => status)
          .keys()
          .toArray(),
      ),
    )
    assert.ok(first.some(({ status, retryAfter }) => status === 503 && Number(retryAfter) >= 1))
    assert.equal((await house.api.ask('GET', '/livez')).status, 200)
    await assertNotReady(house)

    rmSync(ballast)
    await waitFor(
      'readiness',
      () => house.api.ask('GET', '/healthz'),
      ({ status }) => status === 200,
    )
    assert.deepEqual(await blockers(house), [])
    await Promise.all(pushes.map((push) => client.insist(push)))
    client.close()
    const { deliveries, runs } = await readStored(house.api, team)
    for (const { deliveryId } of pushes) {
      const accepted = (deliveries.get(deliveryId) ?? []).filter(({ result }) => result === 'accepted')
      assert.equal(accepted.length, 1)
    }
    assert.equal(runs.size, 1500)
    assert.equal([...runs.values()].flat().length, 1500)
  })
})

/** The blockers of preflight, without the database, which may be down for want of room. */
async function blockers({ api }: House): Promise<readonly string[]> {
  const { blockers: found } = await api.get<Preflight>('/v1/setup/preflight')
  return found.map(({ code }) => code).filter((code) => code !== 'database_unreachable')
}

/** Every way of asking for readiness tells of the disk. */
async function assertNotReady(house: House): Promise<void> {
  const { status, body } = await house.api.ask('GET', '/healthz')
  assert.equal(status, 503)
  const disk = (body as Readiness).checks.find(({ name }) => name === 'disk')
  assert.match(disk?.message ?? '', /disk of the database has \d+ MiB left|disk of the database is full/)
  assert.deepEqual(await blockers(house), ['disk_full'])
}

/** Writes until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(1 << 20)
  try {
    for (let size = block.length; size >= 4096; ) {
      try {
        writeSync(file, block, 0, size)
      } catch {
        size /= 2
      }
    }
  } finally {
    closeSync(file)
  }
}
