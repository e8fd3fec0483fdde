import { openDatabase } from '../../server/src/platform/database/index.ts'
import { createLog } from '../../server/src/platform/log/index.ts'
import { systemClock } from '../../server/src/platform/time/index.ts'
import type { Generator } from './generator.ts'
import { SCHEMA_PARTS } from './schema-parts.ts'
import { writeOutput } from './write.ts'

const OUTPUT = 'server/schema.sql'

/**
 * The schema after all migrations, for people to read and for review to see what a migration really changed.
 * The embedded server ships without pg_dump, so the catalog is asked directly; definitions are PostgreSQL's own words.
 */
export const schema: Generator = {
  name: 'schema dump',
  outputs: [OUTPUT],
  async run(into, { migratedDatabase }) {
    const url = await migratedDatabase()
    await writeOutput(into, OUTPUT, await dumpSchema(url))
  },
}

const HEADER = '-- The schema after all migrations. Generated: change it by a migration, then run "npm run generate".\n'

async function dumpSchema(url: string): Promise<string> {
  const log = createLog({ level: 'silent', pretty: false })
  const database = openDatabase({ url, poolSize: 1, log, clock: systemClock })
  try {
    const parts = await database.lane(async (client) => {
      // Definitions name their schema only where it is not on the path; they are to read as the migrations do.
      await client.query('set local search_path to public')
      const texts: string[] = []
      for (const part of SCHEMA_PARTS) {
        const { rows } = await client.query<{ definition: string }>(part)
        texts.push(...rows.map((row) => row.definition.trimEnd()))
      }
      return texts
    })
    return `${[HEADER.trimEnd(), ...parts].join('\n\n')}\n`
  } finally {
    await database.close()
  }
}
