import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readColumnTypes } from './column-types.ts'
import type { Generator } from './generator.ts'

const run = promisify(execFile)
const OUTPUT = 'server/src/platform/database/generated/tables.ts'

/** Types of all tables for Kysely. `bigint` is a number, as the parser of platform/database makes it. */
export const tables: Generator = {
  name: 'table types',
  outputs: [OUTPUT],
  async run(into, { root, migratedDatabase }) {
    const target = join(into, OUTPUT)
    await mkdir(dirname(target), { recursive: true })
    const url = await migratedDatabase()
    const words = ['--dialect', 'postgres', '--url', url, '--out-file', target]
    words.push('--default-schema', 'public', '--exclude-pattern', 'graphile_worker.*')
    words.push('--type-mapping', JSON.stringify({ int8: 'number' }))
    words.push('--overrides', JSON.stringify({ columns: await readColumnTypes(url) }))
    await run(join(root, 'node_modules/.bin/kysely-codegen'), words)
  },
}
