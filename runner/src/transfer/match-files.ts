import { readdirSync } from 'node:fs'
import { compilePatterns, type PatternList } from '@signalbox/pipeline/patterns'
import { systemCode } from '../errors.ts'
import type { OpenFolder } from './open-folder.ts'

/** More than this is a mistake in the patterns, such as one that takes in node_modules. */
export const mostFiles = 200_000

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
export const matchFiles = (folder: OpenFolder, patterns: readonly string[]): MatchedFiles => {
  const found: Found = { list: compilePatterns(patterns.flatMap(withContents)), files: [], unreadable: [] }
  collect(folder, '', found)
  return { files: found.files.toSorted(), unreadable: found.unreadable }
}

type Found = { readonly list: PatternList; readonly files: string[]; readonly unreadable: string[] }

const collect = (folder: OpenFolder, below: string, found: Found): void => {
  const { list, files, unreadable } = found
  for (const entry of readdirSync(folder.path, { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (!entry.isDirectory()) {
      if ((entry.isFile() || entry.isSymbolicLink()) && list.matches(path)) files.push(path)
      if (files.length > mostFiles) {
        throw new RangeError(`more than ${mostFiles} files fit the paths; name fewer, or exclude some with "!"`)
      }
      continue
    }
    try {
      using inner = folder.inner(entry.name)
      collect(inner, path, found)
    } catch (error) {
      if (systemCode(error) === undefined || systemCode(error) === 'EMFILE') throw error
      unreadable.push(path)
    }
  }
}

const withContents = (pattern: string): string[] => {
  const [, not = '', rest = ''] = /^(!?)(?:\.\/)*(.*?)\/*$/.exec(pattern) ?? []
  if (rest === '' || rest === '.') return [`${not}**`]
  return [`${not}${rest}`, `${not}${rest}/**`]
}
