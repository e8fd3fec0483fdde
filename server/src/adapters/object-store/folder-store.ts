import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type ObjectStore, ObjectStoreFailed, requireKey } from './port.ts'

/** A folder that is empty goes with its last object; somebody may be about to write there. */
const TRIES = 5

/**
 * Objects as files below a folder. A file is written beside its place, synced and renamed: it is whole or not there.
 * Partial files of a dead process go when the object is deleted.
 */
export function createFolderStore(root: string): ObjectStore {
  const pathOf = (key: string): string => join(root, ...requireKey(key).split('/'))

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(key)
    const folder = dirname(path)
    const beside = join(folder, `${besideOf(path)}${randomUUID()}`)
    try {
      const file = await openNew(beside)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(beside, path)
      await syncFolder(folder)
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
  }

  return {
    put: (key, bytes) => write(key, bytes).catch(fail),
    async get(key) {
      return await readFile(pathOf(key)).catch(unlessAbsent).catch(fail)
    },
    async delete(keys) {
      const folders = Map.groupBy(keys.map(pathOf), (path) => dirname(path))
      for (const [folder, paths] of folders) await remove(folder, paths).catch(fail)
    },
    check: () => mkdir(root, { recursive: true, mode: 0o700 }).then(() => undefined, fail),
  }
}

async function openNew(path: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      // It looks again at a folder that is there, which may be gone by then.
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === TRIES) throw error
    }
  }
}

async function remove(folder: string, paths: readonly string[]): Promise<void> {
  const names = (await readdir(folder).catch(unlessAbsent)) ?? []
  const wanted = new Set(paths.map((path) => basename(path)))
  const halves = new Set(paths.map(besideOf))
  for (const name of names) {
    if (wanted.has(name) || halves.has(name.slice(0, -UUID_LENGTH))) await rm(join(folder, name), { force: true })
  }
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  })
}

const UUID_LENGTH = 36

/** How the names of its files begin that are not whole yet. No key has a dot in it. */
function besideOf(path: string): string {
  return `.${basename(path)}.`
}

/** The rename itself is durable only once its folder is. Where it is gone, somebody has deleted the object since. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(unlessAbsent)
  if (!handle) return
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Undefined for what is not there; throws all else. */
function unlessAbsent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

function fail(error: unknown): never {
  if (error instanceof RangeError) throw error
  const code = codeOf(error)
  const full = code === 'ENOSPC' || code === 'EDQUOT'
  const what = full ? 'no space is left for it' : (code ?? 'it failed')
  throw new ObjectStoreFailed(`An object cannot be stored or read: ${what}.`, { full, cause: error })
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
