import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config'
import { readObjectPlace, recordObjectPlace } from '#platform/database'
import type { Probe } from '#platform/room'

/** The folder that keeps the objects is not the one in which the other control planes of this database keep theirs. */
export class ObjectPlaceWrong extends Error {
  override readonly name = 'ObjectPlaceWrong'
  readonly code = 'object_store.other_folder'
}

/** No object has such a name. */
const FILE = '.place'

/** Several control planes work on one external database: a folder must be the same one for all that read objects. */
function isShared({ databaseUrl, objectStore, roles }: Config): boolean {
  return databaseUrl !== undefined && objectStore === 'folder' && (roles.has('api') || roles.has('worker'))
}

/**
 * The first control plane on a database makes its folder the one that counts, by a file in it and a row in the database.
 * Every other control plane must find that file. Answers the id; throws ObjectPlaceWrong with a sentence that says what to do.
 */
export async function takeObjectPlace(config: Config, databaseUrl: string): Promise<string | undefined> {
  if (!isShared(config)) return undefined
  const known = await readObjectPlace(databaseUrl)
  const recorded = known ?? (await recordObjectPlace(databaseUrl, makeFile(config.dataDir)))
  requireFile(config.dataDir, recorded)
  return recorded
}

/** As a start would judge, for `signalbox doctor`; changes nothing. */
export async function inspectObjectPlace(config: Config): Promise<void> {
  if (config.databaseUrl === undefined || !isShared(config)) return
  const known = await readObjectPlace(config.databaseUrl)
  if (known !== undefined) requireFile(config.dataDir, known)
}

/** The folder may be unmounted, or replaced, while the control plane runs. */
export function objectPlaceProbe({ dataDir }: Config, id: string): Probe {
  return {
    name: 'objects',
    check: async () => requireFile(dataDir, id),
    blocker: { code: 'objects_elsewhere', remedy: 'Mount the folder that all control planes share, or use a bucket.' },
  }
}

/** Of two that make it at once in one folder, the first one's content counts. */
function makeFile(dataDir: string): string {
  const path = pathOf(dataDir)
  mkdirSync(join(dataDir, 'objects'), { recursive: true, mode: 0o700 })
  const made = randomUUID()
  try {
    writeFileSync(path, `${made}\n`, { mode: 0o600, flag: 'wx', flush: true })
    return made
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return readFileSync(path, 'utf8').trim()
  }
}

function requireFile(dataDir: string, id: string): void {
  const path = pathOf(dataDir)
  if (readIfThere(path) === id) return
  throw new ObjectPlaceWrong(
    `${join(dataDir, 'objects')} is not the folder that keeps the artifacts and caches of this database: ${path} does not say ${id}. Give all control planes one shared folder there, or a bucket (object_store). Where the objects were moved to this folder or are lost for good, write ${id} into that file.`,
  )
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'objects', FILE)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
