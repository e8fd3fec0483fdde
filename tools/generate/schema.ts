import pg from 'pg'
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
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Definitions name their schema only where it is not on the path; they are to read as the migrations do.
    await client.query('set search_path to public')
    const parts: string[] = []
    for (const part of SCHEMA_PARTS) {
      const { rows } = await client.query<{ definition: string }>(part)
      parts.push(...rows.map((row) => row.definition.trimEnd()))
    }
    return `${[HEADER.trimEnd(), ...parts].join('\n\n')}\n`
  } finally {
    await client.end()
  }
}
