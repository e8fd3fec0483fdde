import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'

/** A committed file that is not what its generator makes now. */
export interface Stale {
  readonly path: string
  readonly reason: 'missing' | 'differs' | 'not declared in outputs'
}

/** Compares the output of one generator below `made` with the committed files below `root`. */
export async function findStale(generator: Generator, made: string, root: string): Promise<readonly Stale[]> {
  const written = await listFiles(made)
  const undeclared = written.filter((path) => !generator.outputs.includes(path))
  const stale: Stale[] = undeclared.map((path) => ({ path, reason: 'not declared in outputs' }))
  for (const path of generator.outputs) {
    const fresh = await readFile(join(made, path), 'utf8')
    const committed = await readIfThere(join(root, path))
    if (committed === undefined) stale.push({ path, reason: 'missing' })
    else if (committed !== fresh) stale.push({ path, reason: 'differs' })
  }
  return stale
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.map((path) => path.slice(folder.length + 1).replaceAll('\\', '/')).sort()
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
