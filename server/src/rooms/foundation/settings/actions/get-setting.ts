import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { sealContext } from '../rules.ts'
import * as store from '../store.ts'

/** `document` is without the secret fields. */
export interface Setting extends Omit<store.SettingRow, 'sealed'> {
  /** The secret fields in clear, by name; for use, never for an answer. */
  readonly secrets: Readonly<Record<string, string>>
}

/** The newest version; undefined where none was ever saved. Throws SealBroken when the configured key is another. */
export async function getSetting(means: Means, db: Queryable, path: string): Promise<Setting | undefined> {
  const row = await store.findSetting(db, path)
  if (!row) return undefined
  const { sealed, ...setting } = row
  const secrets = Object.entries(sealed).map(([field, value]): [string, string] => [
    field,
    means.sealer.open(Buffer.from(value, 'base64'), sealContext(path, row.version, field)),
  ])
  return { ...setting, secrets: Object.fromEntries(secrets) }
}
