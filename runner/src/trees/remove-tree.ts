import { randomUUID } from 'node:crypto'
import { chmodSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { systemCode } from '../errors.ts'
import type { Name } from './open-folder.ts'
import { OpenFolder } from './open-folder.ts'
import type { Work } from './walk.ts'
import { isChange } from './walk.ts'

/**
 * Removes a folder with everything in it, as far as the runner may. A process that a task left behind could put a link
 * where a folder was, and root would follow it. So each folder is opened without following links, and everything in it
 * is reached through that open folder. A folder in a folder is first moved up to the top, so that two are open at a
 * time, however deep the tree is. Ends when nothing is left or nothing more goes: throws the system's error then.
 */
export function* removeTree(path: string): Work {
  using parent = OpenFolder.open(dirname(path))
  const name = basename(path)
  const top = openAny(parent, name)
  if (top === undefined) return
  try {
    const clearing = new Clearing(top)
    while (!removeEmpty(parent, name)) yield* clearing.pass()
  } finally {
    top[Symbol.dispose]()
  }
}

const IS_ROOT = process.getuid?.() === 0

/** Undefined where there is no folder (any more). The owner may have closed the folder to himself. */
function openAny(parent: OpenFolder, name: Name): OpenFolder | undefined {
  try {
    if (!IS_ROOT) chmodSync(parent.at(name), 0o700)
    return parent.inner(name)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    if (!isChange(error)) throw error
    unlinkSync(parent.at(name))
    return undefined
  }
}

/** Whether nothing is there any more. */
function removeEmpty(folder: OpenFolder, name: Name): boolean {
  try {
    rmdirSync(folder.at(name))
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return true
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

class Clearing {
  readonly #top: OpenFolder
  // A name that nobody else has there.
  readonly #prefix = `removed-${randomUUID()}-`
  #moved = 0
  #progress = false
  #problem: unknown

  constructor(top: OpenFolder) {
    this.#top = top
  }

  /** Removes the files at the top, and moves up the content of folders there. Throws where everything resists. */
  *pass(): Work {
    this.#progress = false
    this.#problem = undefined
    for (const { name, kind } of this.#top.entries()) {
      yield
      if (kind !== 'folder') this.#attempt(() => unlinkSync(this.#top.at(name)))
      else if (!this.#removeEmpty(name)) yield* this.#empty(name)
    }
    if (!this.#progress && this.#problem !== undefined) throw this.#problem
  }

  *#empty(name: Name): Work {
    let opened: OpenFolder | undefined
    try {
      opened = openAny(this.#top, name)
    } catch (error) {
      this.#problem ??= error
    }
    if (opened === undefined) return
    {
      using folder = opened
      for (const entry of folder.entries()) {
        yield
        const at = folder.at(entry.name)
        if (entry.kind !== 'folder') this.#attempt(() => unlinkSync(at))
        else this.#attempt(() => renameSync(at, this.#top.at(`${this.#prefix}${++this.#moved}`)))
      }
    }
    this.#removeEmpty(name)
  }

  #removeEmpty(name: Name): boolean {
    let removed = false
    try {
      removed = removeEmpty(this.#top, name)
    } catch (error) {
      this.#problem ??= error
    }
    this.#progress ||= removed
    return removed
  }

  #attempt(deed: () => void): void {
    try {
      deed()
      this.#progress = true
    } catch (error) {
      if (!isChange(error)) this.#problem ??= error
    }
  }
}
