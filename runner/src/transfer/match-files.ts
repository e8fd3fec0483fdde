import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compilePatterns } from '@signalbox/pipeline/patterns'

/** More than this is a mistake in the patterns, such as one that takes in node_modules. */
const MOST_FILES = 200_000

export type MatchedFiles = {
  /** Relative to the folder, in the order of their names; links are named, never followed. */
  readonly files: readonly string[]
  /** Folders that could not be looked into. */
  readonly unreadable: readonly string[]
}

/**
 * The files below a folder that fit a list of patterns: the last one that fits decides, `!` takes out again. A pattern
 * that names a folder means everything below it; `./` before a pattern and `/` after it mean nothing. Throws PatternError,
 * and a RangeError beyond 200,000 files.
 */
export const matchFiles = async (folder: string, patterns: readonly string[]): Promise<MatchedFiles> => {
  const list = compilePatterns(patterns.flatMap(withContents))
  const files: string[] = []
  const unreadable: string[] = []
  const folders = ['']
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    const entries = await readFolder(join(folder, below))
    if (entries === undefined) unreadable.push(below)
    for (const entry of entries ?? []) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      else if ((entry.isFile() || entry.isSymbolicLink()) && list.matches(path)) files.push(path)
    }
    if (files.length > MOST_FILES) {
      throw new RangeError(`more than ${MOST_FILES} files fit the paths; name fewer, or exclude some with "!"`)
    }
  }
  return { files: files.sort(), unreadable }
}

const withContents = (pattern: string): string[] => {
  const [, not = '', rest = ''] = /^(!?)(?:\.\/)*(.*?)\/*$/.exec(pattern) ?? []
  if (rest === '' || rest === '.') return [`${not}**`]
  return [`${not}${rest}`, `${not}${rest}/**`]
}

const readFolder = (folder: string): Promise<Dirent[] | undefined> =>
  readdir(folder, { withFileTypes: true }).catch(() => undefined)
