import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ObjectStore, ObjectStoreFailed, requireKey } from './port.ts'

/** Objects as files below a folder. A file is written beside its place, synced and renamed: it is whole or not there. */
export function createFolderStore(root: string): ObjectStore {
  const pathOf = (key: string): string => join(root, ...requireKey(key).split('/'))

  async function write(key: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(key)
    const folder = dirname(path)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const beside = join(folder, `.${randomUUID()}`)
    try {
      const file = await open(beside, 'wx', 0o600)
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
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        return fail(error)
      }
    },
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true }).catch(fail)
    },
    check: () => mkdir(root, { recursive: true, mode: 0o700 }).then(() => undefined, fail),
  }
}

/** The rename itself is durable only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
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
