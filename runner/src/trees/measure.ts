import { lstatSync } from 'node:fs'
import type { Work } from './walk.ts'
import { walk } from './walk.ts'

/** The space of the disk that a tree takes, and its number of files and folders. */
export interface Usage {
  readonly bytes: number
  readonly files: number
}

const BLOCK_BYTES = 512

/**
 * Counts the files and folders below a folder, itself included, and their bytes on the disk. So a sparse file counts
 * with its real size. The count ends as soon as there is more than `most`.
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
