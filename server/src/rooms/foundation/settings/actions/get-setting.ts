import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import { sealContext } from '../rules.ts'
import * as store from '../store.ts'

export interface Setting {
  readonly path: string
  readonly version: number
  /** Without the secret fields. */
  readonly document: unknown
  /** The secret fields in clear, by name; for use, never for an answer. */
  readonly secrets: Readonly<Record<string, string>>
  readonly savedBy: string
  readonly savedAt: Date
}

/** The newest version; undefined where none was ever saved. Throws SealBroken when the configured key is another. */
export async function getSetting(kit: Kit, db: Queryable, path: string): Promise<Setting | undefined> {
  const row = await store.findSetting(db, path)
  if (!row) return undefined
  const secrets = Object.entries(row.sealed).map(([field, sealed]): [string, string] => [
    field,
    kit.sealer.open(Buffer.from(sealed, 'base64'), sealContext(path, row.version, field)),
  ])
  return {
    path,
    version: row.version,
    document: row.document,
    secrets: Object.fromEntries(secrets),
    savedBy: row.savedBy,
    savedAt: row.savedAt,
  }
}
