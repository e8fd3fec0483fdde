import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSharedDatabase } from '../house/database.ts'
import { startHouse } from '../house/house.ts'
import { makeWorld } from '../house/world.ts'
import { connected, countRows, makeDump, SECRET_KEY } from './dump.ts'
import { FILL } from './fill.ts'

// node e2e/upgrade/make-dump.ts <version>: writes e2e/upgrade/dumps/<version>.sql, with rows in every table. Once for each
// release; a dump that is there is never made again.

const [version] = process.argv.slice(2)
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version, such as 0.1.0.')

const database = await startSharedDatabase()
try {
  const house = await startHouse({ env: { DATABASE_URL: database.url, SECRET_KEY } })
  try {
    await makeWorld(house, 'acme')
  } finally {
    await house.stop()
  }
  await connected(database.url, async (client) => {
    for (const statement of FILL) await client.query(statement)
  })
  const empty = [...(await countRows(database.url))].filter(([, count]) => count === 0).map(([name]) => name)
  if (empty.length > 0)
    throw new Error(`Without rows: ${empty.join(', ')}. Say in e2e/upgrade/fill.ts how they are made.`)
  const path = join(import.meta.dirname, 'dumps', `${version}.sql`)
  writeFileSync(path, await makeDump(database.url, version), { flag: 'wx' })
} finally {
  await database.stop()
}
