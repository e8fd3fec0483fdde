import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { drive, type Outcome } from './drive.ts'
import { FAULT_KINDS, scheduleFaults } from './schedule.ts'
import { summarize } from './summary.ts'

const SEED = 1230
const MINUTES = 0.4

describe('the faults of a seed', () => {
  const targets = { planes: 2, runners: 3 }

  test('are the same each time, and others for another seed', () => {
    const faults = scheduleFaults(SEED, 180_000, targets, 4000)
    assert.deepEqual(scheduleFaults(SEED, 180_000, targets, 4000), faults)
    assert.notDeepEqual(scheduleFaults(SEED + 1, 180_000, targets, 4000), faults)
  })

  test('are of every kind within three minutes, and none goes on beyond the end', () => {
    const faults = scheduleFaults(SEED, 180_000, targets, 4000)
    assert.deepEqual(new Set(faults.map(({ kind }) => kind)), new Set(FAULT_KINDS))
    assert.ok(faults.every(({ atMs, forMs }) => atMs + forMs <= 180_000))
  })

  test('strike nothing that still suffers from another one of its part', () => {
    const faults = scheduleFaults(SEED, 600_000, targets, 4000).filter(({ kind }) => kind.startsWith('plane'))
    for (const some of Map.groupBy(faults, ({ target }) => target).values()) {
      const overlaps = some.filter((fault, at) => fault.atMs < (some[at - 1]?.atMs ?? 0) + (some[at - 1]?.forMs ?? 0))
      assert.deepEqual(overlaps, [])
    }
  })
})

describe('a short time of chaos', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-chaos-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  test(`seed ${SEED}: everything that is promised holds, and the load was one`, async () => {
    const outcome: Outcome = await drive({ seed: SEED, minutes: MINUTES, folder })
    const told = summarize(SEED, MINUTES, outcome)
    assert.deepEqual(outcome.violations, [], told)
    const { seen, stored } = outcome.history
    assert.ok(seen.filter(({ kind }) => kind === 'fault').length >= 5, told)
    assert.ok(stored.runs.length >= 5 && stored.logs.size >= 5, told)
    assert.ok(
      seen.some((one) => one.kind === 'delivered' && one.status === 202),
      told,
    )
    assert.ok(
      seen.some((one) => one.kind === 'intruded' && one.status === 401),
      told,
    )
    const decided = seen.filter((one) => one.kind === 'asked' && /^(approve|reject)$/.test(one.what))
    assert.ok(
      decided.some((one) => one.kind === 'asked' && one.status === 200),
      told,
    )
    assert.ok(seen.some(({ kind }) => kind === 'line') && seen.some(({ kind }) => kind === 'effect'), told)
  })
})
