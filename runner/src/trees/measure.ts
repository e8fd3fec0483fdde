import { lstatSync } from 'node:fs'
import type { Work } from './walk.ts'
import { walk } from './walk.ts'

/** What a tree takes of the disk. */
export interface Usage {
  readonly bytes: number
  readonly files: number
}

const BLOCK_BYTES = 512

/**
 * Counts what lies below a folder, itself included: files and folders, and the bytes that they take on the disk, so
 * that a sparse file counts with what it has. Ends as soon as there is more than `most`: how much more would cost time.
 */
export function* measure(directory: string, most: Usage): Work<Usage> {
  let bytes = 0
  let files = 0
  const work = walk(directory, {
    folder: (folder) => {
      files++
      bytes += folder.look('.').blocks * BLOCK_BYTES
    },
    other(folder, { name }) {
      files++
      const { blocks, nlink } = lstatSync(folder.at(name))
      // A file of several names is counted at each of them with its part.
      bytes += (blocks * BLOCK_BYTES) / Math.max(nlink, 1)
    },
    // Nobody but its owner may look into it; a runner that is not root counts what it sees.
    closed: () => {},
  })
  for (const _ of work) {
    if (bytes > most.bytes || files > most.files) break
    yield
  }
  return { bytes: Math.round(bytes), files }
}
