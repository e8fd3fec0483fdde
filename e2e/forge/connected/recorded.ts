import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fields, fieldsOf, isFields } from '../fields.ts'

const FORGES = join(import.meta.dirname, '../../../server/src/adapters/forges')

/** The payload of a recorded delivery, which the product's own tests read. */
export function recordedPayload(provider: 'gitea' | 'gitlab', name: string): Fields {
  const read: unknown = JSON.parse(readFileSync(join(FORGES, provider, 'fixtures', `${name}.json`), 'utf8'))
  return isFields(read) ? fieldsOf(read, 'payload') : {}
}
