import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { createDeliverer, preparePushes, readStored } from '../house/deliverer.ts'
import { type House, startHouse } from '../house/house.ts'
import { watchSilence } from '../house/silence.ts'
import { makePipeline, makeTeam, makeTrigger, type Team } from '../house/team.ts'

const PIPELINE = 'name: build\nsteps:\n  - name: s\n    tasks:\n      - { name: t, checkout: false, run: "true" }\n'
const COUNT = 3000
/** More than one source may have in hand. */
const AT_ONCE = 1500
const OTHERS_AT_ONCE = 5
/** A delivery whose turn does not come in this time is told to come back. */
const TURN_MS = 2000
/** The limit is a little less than a turn, because the watcher pauses, too. */
const STANDSTILL_MS = TURN_MS - 500

describe('a burst of deliveries', () => {
  let house: House
  let team: Team
  let other: Team
  before(async () => {
    house = await startHouse()
    team = await makeTeam(house.api, 'burst')
    other = await makeTeam(house.api, 'other')
    for (const { sourceId } of [team, other]) {
      await house.api.send('PATCH', `/v1/git-webhook-sources/${sourceId}`, { rate_limit: { per_minute: 1_000_000 } })
    }
    for (const one of [team, other]) {
      await makeTrigger(house.api, one, 'on-push', await makePipeline(house.api, one, PIPELINE))
    }
  })
  after(() => house.stop())

  test(`${COUNT} at one source, ${AT_ONCE} at a time: each is taken in the end and starts its run once, and another source is always served`, async () => {
    const pushes = preparePushes(team, COUNT)
    const others = preparePushes(other, 50, 'other')
    const client = createDeliverer(house.url, team, AT_ONCE)
    const beside = createDeliverer(house.url, other, OTHERS_AT_ONCE)
    await using silence = watchSilence([house.url])
    const [answers, served] = await Promise.all([
      Promise.all(pushes.map((push) => client.insist(push))),
      Promise.all(others.map((push) => beside.insist(push))),
    ])
    client.close()
    beside.close()
    for (const { status, retryAfter } of [...answers, ...served].flat()) {
      assert.ok(status === 202 || (status === 503 && Number(retryAfter) >= 1), `${status} ${retryAfter}`)
    }
    // A busy sender is no reason to tell others to come back. Only a machine that stands still may say so, to the
    // requests that it has in hand then.
    const standstills = silence.longerThan(STANDSTILL_MS)
    const excused = standstills.reduce((sum, ms) => sum + OTHERS_AT_ONCE * Math.ceil(ms / TURN_MS), 0)
    const turnedAway = served.flat().filter(({ status }) => status === 503)
    assert.ok(
      turnedAway.length <= excused,
      `${turnedAway.length} told to come back; it stood still for ${standstills} ms`,
    )

    const { deliveries, runs } = await readStored(house.api, team)
    assert.equal(deliveries.size, COUNT)
    for (const [id, records] of deliveries) {
      assert.equal(records.filter(({ result }) => result === 'accepted').length, 1, id)
    }
    assert.equal(runs.size, COUNT)
    assert.equal([...runs.values()].flat().length, COUNT)
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${house.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    assert.ok(peak < 600, `${peak} MB`)
  })
})
