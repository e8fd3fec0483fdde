import { createObjectStore, type ObjectStore } from '#adapters/object-store'
import type { Config } from '#platform/config'
import type { RowSource } from '#platform/database'
import { damaged, type Manifest, readManifest, rowsPath } from './manifest.ts'
import { copyObjects } from './objects.ts'
import { measureFile, readRows } from './row-files.ts'

/** A whole backup, each byte of which was looked at. */
export interface Backup {
  readonly manifest: Manifest
  readonly rows: RowSource
  readonly objects: ObjectStore
}

/** The objects of a backup lie in it as in a data folder. */
export function objectsIn(folder: string, config: Config): ObjectStore {
  return createObjectStore({ ...config, objectStore: 'folder', dataDir: folder })
}

/** The rows that a folder holds, for a manifest that may not be written yet. */
export function rowsIn(folder: string, catalog: Pick<Manifest, 'migrations' | 'tables' | 'sequences'>): RowSource {
  const counts = new Map(catalog.tables.map(({ name, rows }) => [name, rows]))
  return {
    ...catalog,
    async copyRows(table, into) {
      await readRows(rowsPath(folder, table), into)
      return counts.get(table.name) ?? 0
    },
  }
}

/** Throws BackupRefused where anything is missing, cut or changed. */
export async function openBackup(folder: string, config: Config): Promise<Backup> {
  const manifest = readManifest(folder)
  for (const table of manifest.tables) {
    const file = await measureFile(rowsPath(folder, table))
    if (file === undefined) throw damaged(folder, `the rows of ${table.name} are missing`)
    if (file.sha256 !== table.sha256) throw damaged(folder, `the rows of ${table.name} are cut or changed`)
  }
  const rows = rowsIn(folder, manifest)
  const objects = objectsIn(folder, config)
  const { missing } = await copyObjects(rows, objects, async () => undefined)
  const known = new Set(manifest.objects.missing)
  const lost = missing.filter((key) => !known.has(key))
  if (lost.length > 0) throw damaged(folder, `${lost.length} objects are missing or changed, the first is ${lost[0]}`)
  return { manifest, rows, objects }
}
