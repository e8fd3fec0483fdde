import { createObjectStore } from '#adapters/object-store'
import { openDatabase } from '#platform/database'
import { createFailPoints } from '#platform/fail-points'
import { createFairShares } from '#platform/http'
import { createLog } from '#platform/log'
import { createTestClock, createTestKit } from '#platform/testing'
import { systemClock } from '#platform/time'
import { openRuns } from '../../runs/testing.ts'
import { openBlob, storePart } from '../actions/store-blob.ts'
import type { Means } from '../means.ts'

// A process of its own: stores the only part of an archive and is killed before it has written that down.
const [url = '', dataDir = '', sha256 = '', text = ''] = process.argv.slice(2)
const log = createLog({ level: 'silent', pretty: false })
const database = openDatabase({ url, poolSize: 2, log, clock: systemClock })
const kit = createTestKit(database, {
  clock: createTestClock(),
  failPoints: createFailPoints('artifacts.part_stored'),
})
const objects = createObjectStore({ ...kit.config, dataDir })
const below = await openRuns(kit)
const means: Means = { ...kit, ...below, objects, api: {}, outgoing: createFairShares(0), completing: new Map() }
const place = { runId: kit.ids.next(), teamPath: 'acme/web', step: 'build', task: 'compile' }
const subject = { attemptId: kit.ids.next(), ...place, namespace: 'trusted', alsoReads: [] }
const { id } = await openBlob(means, subject, { sha256, size: text.length, for: 'artifact' })
await storePart(means, subject, { id, number: 0 }, Buffer.from(text))
