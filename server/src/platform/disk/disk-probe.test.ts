import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createMetrics } from '#platform/metrics'
import { systemClock } from '#platform/time'
import { createDiskProbe, type DiskPlace } from './disk-probe.ts'
import { findFreeSpace } from './free-space.ts'

const objects: DiskPlace = { name: 'objects', path: join(tmpdir(), 'not/made/yet') }

function probe(leastBytes: number, places: readonly DiskPlace[] = [objects], isFull = false) {
  const metrics = createMetrics()
  const database = { isFull: async () => isFull }
  return { metrics, ...createDiskProbe({ places, leastBytes, database, metrics, clock: systemClock }) }
}

describe('the probe of the disks', () => {
  test('is well with room, also for a folder that is not made yet', async () => {
    await probe(1).check()
    assert.ok((await findFreeSpace(objects.path)).bytes > 0)
  })

  test('says which disk has how much left, and no path', async () => {
    await assert.rejects(probe(2 ** 62).check(), (error) => {
      assert.ok(error instanceof Error)
      assert.match(error.message, /^The disk of the objects has \d+ MiB left; min_free_disk asks for \d+\.$/)
      return true
    })
  })

  test('is not well while writes fail, whatever the disks say that we can see', async () => {
    await assert.rejects(probe(0, [], true).check(), /Writes fail: the disk of the database is full/)
  })

  test('shows the room in a series', async () => {
    const { text } = await probe(1).metrics.render()
    assert.match(text, /^signalbox_disk_free_bytes\{disk="objects"\} \d+/m)
  })
})
