import { systemCode } from '../errors.ts'
import type { Entry, Identity, Name } from './open-folder.ts'
import { OpenFolder } from './open-folder.ts'

/** The work on a tree, piece by piece: the caller decides when to go on, and for how long. */
export type Work<Result = void> = Generator<void, Result>

/** Another process removed or exchanged the entry meanwhile, which is no fault. */
export function isChange(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR'
}

function isShortage(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(systemCode(error) ?? '')
}

export interface Visit {
  /** Each folder, the first one included, before what lies in it; `depth` folders lie above it, down from the first. */
  folder?(folder: OpenFolder, depth: number, name: Buffer): void
  /** Whether to go into a folder; `depth` is its own. The folders above it were told before, each with its depth. */
  enters?(name: Buffer, depth: number): boolean
  /** Each entry that is no folder. */
  other(folder: OpenFolder, entry: Entry): void
  /** A folder that cannot be looked into, told like `enters`; without this the walk ends there with the system's error. */
  closed?(name: Buffer, depth: number): void
}

/** A folder that is still to be gone through: what it is, its name, and the folders in it that are to come. */
interface Level {
  readonly identity: Identity
  readonly name: Buffer
  readonly folders: Entry[]
}

function isSame(one: Identity, other: Identity): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/**
 * Goes through everything below a folder, without following links. However deep or wide the tree is, two folders are
 * open at a time, and no path is longer than a name. The walk goes back by `..`, and checks that it is where it was
 * before. Where a folder was moved away meanwhile, the walk goes on with the rest. Throws the system's error.
 */
export function* walk(path: Name, visit: Visit): Work {
  let here = OpenFolder.open(path)
  try {
    const line: Level[] = []
    visit.folder?.(here, 0, Buffer.from('.'))
    line.push(yield* lookInto(here, Buffer.from('.'), visit))
    for (let level = line.at(-1); level !== undefined; level = line.at(-1)) {
      const next = level.folders.pop()
      if (next !== undefined) {
        const inner =
          visit.enters?.(next.name, line.length) === false ? undefined : enter(here, next, line.length, visit)
        if (inner === undefined) continue
        here[Symbol.dispose]()
        here = inner
        visit.folder?.(here, line.length, next.name)
        line.push(yield* lookInto(here, next.name, visit))
        continue
      }
      line.pop()
      const before = line.at(-1)
      if (before === undefined) return
      const above = here.above()
      here[Symbol.dispose]()
      here = above
      if (isSame(here.identity(), before.identity)) continue
      const found = yield* findBack(path, line)
      here[Symbol.dispose]()
      here = found
    }
  } finally {
    here[Symbol.dispose]()
  }
}

/** The deepest folder of the line that is still where it was; what lay deeper is dropped from the line. */
function* findBack(path: Name, line: Level[]): Work<OpenFolder> {
  let here = OpenFolder.open(path)
  try {
    for (const [depth, { name, identity }] of line.entries()) {
      yield
      const inner = depth === 0 ? undefined : tryInner(here, name)
      const isThere = isSame((inner ?? here).identity(), identity)
      if (inner !== undefined && isThere) {
        here[Symbol.dispose]()
        here = inner
      } else if (depth > 0 || !isThere) {
        inner?.[Symbol.dispose]()
        line.splice(depth)
        break
      }
    }
    return here
  } catch (error) {
    here[Symbol.dispose]()
    throw error
  }
}

function tryInner(folder: OpenFolder, name: Name): OpenFolder | undefined {
  try {
    return folder.inner(name)
  } catch (error) {
    if (isChange(error)) return undefined
    throw error
  }
}

function* lookInto(folder: OpenFolder, name: Buffer, visit: Visit): Work<Level> {
  const folders: Entry[] = []
  for (const entry of folder.entries()) {
    yield
    if (entry.kind === 'folder') folders.push(entry)
    else {
      try {
        visit.other(folder, entry)
      } catch (error) {
        if (!isChange(error)) throw error
      }
    }
  }
  return { identity: folder.identity(), name, folders }
}

function enter(folder: OpenFolder, entry: Entry, depth: number, visit: Visit): OpenFolder | undefined {
  try {
    const inner = folder.inner(entry.name)
    try {
      // A folder that may be read but not entered has no way back.
      inner.look('..')
      return inner
    } catch (error) {
      inner[Symbol.dispose]()
      throw error
    }
  } catch (error) {
    if (isChange(error)) return undefined
    // A shortage of the system says nothing about the folder.
    if (visit.closed === undefined || isShortage(error)) throw error
    visit.closed(entry.name, depth)
    return undefined
  }
}
