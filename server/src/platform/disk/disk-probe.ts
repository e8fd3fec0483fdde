import { answeredWithin, type Database } from '#platform/database'
import type { Metrics } from '#platform/metrics'
import type { Probe } from '#platform/room'
import type { Clock } from '#platform/time'
import { findFreeSpace } from './free-space.ts'

/** A folder of ours, by its use: the answer is public and names no path. */
export interface DiskPlace {
  readonly name: 'database' | 'objects'
  readonly path: string
}

export interface DiskProbeOptions {
  readonly places: readonly DiskPlace[]
  /** Below so many free bytes a disk counts as full. */
  readonly leastBytes: number
  /** Writes that fail for want of room tell of disks that are not ours, and of quotas. */
  readonly database: Pick<Database, 'isFull'>
  readonly metrics: Metrics
  readonly clock: Clock
}

/** Making a few files belongs to every write of PostgreSQL that grows a table. */
const LEAST_FILES = 64
/** A file system that hangs, as one over the network may, is no reason to hang with it. */
const ANSWER_MS = 1500
const MIB = 1024 ** 2

/** Well while there is room to write. Each check looks anew, so the probe is well again as soon as there is room. */
export function createDiskProbe(options: DiskProbeOptions): Probe {
  const { places, leastBytes, database, metrics, clock } = options
  const free = metrics.gauge('signalbox_disk_free_bytes', 'Room on the disk of the database or of objects', ['disk'])
  metrics.onScrape(async () => {
    for (const { name, path } of places) free.set({ disk: name }, (await findFreeSpace(path)).bytes)
  })

  async function findShortage({ name, path }: DiskPlace): Promise<string | undefined> {
    const { bytes, files } = await answeredWithin(clock, findFreeSpace(path), ANSWER_MS)
    if (bytes < leastBytes) {
      return `The disk of the ${name} has ${Math.floor(bytes / MIB)} MiB left; min_free_disk asks for ${Math.ceil(leastBytes / MIB)}.`
    }
    return files !== undefined && files < LEAST_FILES ? `The disk of the ${name} can hold no more files.` : undefined
  }

  return {
    name: 'disk',
    async check() {
      const shortages = await Promise.all(places.map(findShortage))
      const shortage = shortages.find((found) => found !== undefined)
      if (shortage !== undefined) throw new DiskFull(shortage)
      if (await database.isFull()) throw new DiskFull('Writes fail: the disk of the database is full.')
    },
    blocker: {
      code: 'disk_full',
      remedy:
        'Make room on that disk, or give it more. Nothing that was acknowledged is lost; the service goes on by itself once there is room.',
    },
  }
}

class DiskFull extends Error {
  override readonly name = 'DiskFull'
}
