import { createObjectStore } from '#adapters/object-store'
import { openDatabase } from '#platform/database'
import { createFailPoints } from '#platform/fail-points'
import { createLog } from '#platform/log'
import { createTestClock, createTestKit } from '#platform/testing'
import { systemClock } from '#platform/time'
import { openBlob, storePart } from '../actions/store-blob.ts'

// A process of its own: stores the only part of an archive and is killed before it has written that down.
const [url = '', dataDir = '', sha256 = '', text = ''] = process.argv.slice(2)
const log = createLog({ level: 'silent', pretty: false })
const database = openDatabase({ url, poolSize: 2, log, clock: systemClock })
const kit = createTestKit(database, {
  clock: createTestClock(),
  failPoints: createFailPoints('artifacts.part_stored'),
})
const needs = {
  objects: createObjectStore({ ...kit.config, dataDir }),
  teams: { selfAndAncestors: (path: string) => [path], getTeamByPath: () => Promise.reject(new Error('not asked')) },
}
const place = { runId: kit.ids.next(), teamPath: 'acme/web', step: 'build', task: 'compile' }
const subject = { attemptId: kit.ids.next(), ...place, namespace: 'trusted', alsoReads: [] }
const { id } = await openBlob(kit, needs, subject, { sha256, size: text.length, for: 'artifact' })
await storePart(kit, needs, subject, { id, number: 0 }, Buffer.from(text))
