import { renameSync, rmdirSync, type Stats } from 'node:fs'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { extract, ReadEntry } from 'tar'
import { systemCode } from '../errors.ts'
import { OpenFolder } from '../trees/open-folder.ts'
import type { ByteLimit } from './byte-limit.ts'
import { StayWithin } from './stay-within.ts'

/**
 * Unpacks an archive into `directory`. The files first go into `staging`, an empty folder of the same file system where
 * nobody else is. So an archive that is broken or too large leaves nothing behind. From there each file goes to its
 * place through open folders. Throws a sentence, or the system's error.
 */
export async function unpackInto(
  directory: string,
  staging: string,
  archive: Readable,
  limit: ByteLimit,
): Promise<void> {
  const within = new StayWithin()
  const filter = (path: string, entry: Stats | ReadEntry) => {
    if (!(entry instanceof ReadEntry)) return false
    // An archive gives nobody rights.
    entry.mode = (entry.mode ?? 0o644) & 0o777
    return within.allows(path, entry)
  }
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        limit.count(chunk.length)
        done(within.problem === undefined ? null : new Error(within.problem), chunk)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  // Links keep their targets, as a virtual environment of Python needs it. Strict: what cannot be written is an error.
  const into = extract({ cwd: staging, preserveOwner: false, preservePaths: true, strict: true, filter })
  await pipeline(archive, createZstdDecompress(), counted, into)
  if (within.problem !== undefined) throw new Error(within.problem)
  using from = OpenFolder.open(staging)
  using root = OpenFolder.open(directory)
  place(from, root, root, '')
}

/** Links that tasks left in the workspace are followed, as long as they lead to a place in it. */
function place(from: OpenFolder, to: OpenFolder, root: OpenFolder, below: string): void {
  // The entries are listed first, so that the depth bounds the number of open folders.
  const entries = Array.from(from.entries())
  for (const { name, kind } of entries) {
    const path = `${below}${name}`
    if (kind !== 'folder') {
      saying(path, () => replace(from.at(name), to.at(name)))
      continue
    }
    using source = from.inner(name)
    using target = saying(path, () => to.enter(name))
    if (!target.isWithin(root)) throw new Error(`${path} leads out of the workspace`)
    place(source, target, root, `${path}/`)
  }
}

/** An empty folder gives way to a file, as with any tar. */
function replace(source: Buffer, target: Buffer): void {
  try {
    renameSync(source, target)
  } catch (error) {
    if (systemCode(error) !== 'EISDIR') throw error
    rmdirSync(target)
    renameSync(source, target)
  }
}

function saying<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(`${path} cannot be written (${systemCode(error) ?? String(error)})`, { cause: error })
  }
}
