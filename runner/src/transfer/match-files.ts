import { compilePatterns, type PatternList } from '@signalbox/pipeline/patterns'
import type { OpenFolder } from '../trees/open-folder.ts'
import { walk } from '../trees/walk.ts'
import { MOST_DEPTH, MOST_FILES, MOST_PATH_BYTES, tooDeep, tooLong } from './limits.ts'

export interface MatchedFiles {
  /** Relative to the folder, in the order of their names; links are named, never followed. */
  readonly files: readonly string[]
  /** Folders that could not be looked into. */
  readonly unreadable: readonly string[]
}

/**
 * The files below a folder that fit a list of patterns. The last pattern that fits decides; `!` takes files out again.
 * A pattern that names a folder means everything below it; `./` before a pattern and `/` after it mean nothing. Throws
 * PatternError, and a RangeError where a file that fits can be in no archive, or too many fit.
 */
export function matchFiles(folder: OpenFolder, patterns: readonly string[]): MatchedFiles {
  const found = new Found(compilePatterns(patterns.flatMap(withContents)))
  const steps = walk(folder.at('.'), {
    folder: (_, depth, name) => found.enter(depth, name),
    enters: (name, depth) => found.enters(name, depth),
    other: (_, { name, kind }) => {
      if (kind !== 'other') found.add(name)
    },
    closed: (name, depth) => found.unreadable.push(textOf(found.pathOf(name, depth))),
  })
  for (const _ of steps);
  return { files: found.files.toSorted(), unreadable: found.unreadable }
}

class Found {
  readonly files: string[] = []
  readonly unreadable: string[] = []
  readonly #list: PatternList
  /** The paths of the folders down to the current one. */
  #line: Buffer[] = []

  constructor(list: PatternList) {
    this.#list = list
  }

  enter(depth: number, name: Buffer): void {
    this.#line = [...this.#line.slice(0, depth), depth === 0 ? Buffer.alloc(0) : this.pathOf(name, depth)]
  }

  enters(name: Buffer, depth: number): boolean {
    if (depth <= MOST_DEPTH) return true
    const path = textOf(this.pathOf(name, depth))
    // The files below the folder are not known. A pattern that names a folder means everything in it.
    if (this.#list.matches(`${path}/file`)) throw tooDeep(path)
    return false
  }

  add(name: Buffer): void {
    const bytes = this.pathOf(name, this.#line.length)
    const path = textOf(bytes)
    if (!this.#list.matches(path)) return
    if (!Buffer.from(path).equals(bytes)) {
      throw new RangeError(
        `the name of ${escaped(bytes)} is not UTF-8, and no archive can hold it; rename it, or exclude it with "!"`,
      )
    }
    if (bytes.length > MOST_PATH_BYTES) throw tooLong(path)
    this.files.push(path)
    if (this.files.length > MOST_FILES) {
      throw new RangeError(`more than ${MOST_FILES} files fit the paths; name fewer, or exclude some with "!"`)
    }
  }

  pathOf(name: Buffer, depth: number): Buffer {
    const folder = this.#line[depth - 1]
    return folder === undefined || folder.length === 0 ? name : Buffer.concat([folder, Buffer.from('/'), name])
  }
}

function textOf(path: Buffer): string {
  return path.toString('utf8')
}

/** As a shell writes it: each byte that is no ASCII as `\\xNN`. */
function escaped(path: Buffer): string {
  return path.toString('latin1').replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function withContents(pattern: string): string[] {
  const [, not = '', rest = ''] = /^(!?)(?:\.\/)*(.*?)\/*$/.exec(pattern) ?? []
  if (rest === '' || rest === '.') return [`${not}**`]
  return [`${not}${rest}`, `${not}${rest}/**`]
}
