import type { Stats } from 'node:fs'
import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../errors.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const here = '/proc/self/fd'
const reachesByNumber = existsSync(here)

/**
 * A folder of a workspace that is held open. Whoever else works there may put a link where a folder was, between a look
 * and a deed; what is reached through an open folder stays what it was when it was opened. Where the system has no /proc,
 * paths stand in for that, and the last moment is nobody's. All methods throw the system's error.
 */
export class OpenFolder implements Disposable {
  readonly #fd: number
  /** By which everything in it is reached. */
  readonly path: string

  private constructor(path: string, flags: number) {
    this.#fd = openSync(path, O_RDONLY | O_DIRECTORY | flags)
    this.path = reachesByNumber ? `${here}/${this.#fd}` : path
  }

  /** One that is no link. */
  static open(path: string): OpenFolder {
    return new OpenFolder(path, O_NOFOLLOW)
  }

  at(name: string): string {
    return join(this.path, name)
  }

  /** One in it that is no link. */
  inner(name: string): OpenFolder {
    return new OpenFolder(this.at(name), O_NOFOLLOW)
  }

  /** One in it, wherever links lead: whether that is where it may be is for the caller to ask. Made where there is none. */
  enter(name: string): OpenFolder {
    try {
      return new OpenFolder(this.at(name), 0)
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
    }
    try {
      mkdirSync(this.at(name))
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
    return new OpenFolder(this.at(name), 0)
  }

  /** What lies under a name; a link is told as one. */
  look(name: string): Stats {
    return lstatSync(this.at(name))
  }

  /** A file in it that is no link, for reading. Nothing is waited for: what is no file is for the caller to find out. */
  openFile(name: string): number {
    return openSync(this.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  }

  isWithin(root: OpenFolder): boolean {
    const path = this.#realPath()
    const above = root.#realPath()
    return path === above || path.startsWith(`${above}/`)
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd)
  }

  #realPath(): string {
    return reachesByNumber ? readlinkSync(this.path) : realpathSync.native(this.path)
  }
}
