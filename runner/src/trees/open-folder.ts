import type { Stats } from 'node:fs'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { systemCode } from '../errors.ts'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const HERE = '/proc/self/fd'
const REACHES_BY_NUMBER = existsSync(HERE)
const SLASH = Buffer.from('/')
const LISTED_AT_ONCE = 256

/** The name of a file as the file system has it: any bytes but NUL and slash, and so not always UTF-8. */
export type Name = string | Buffer

export interface Entry {
  readonly name: Buffer
  readonly kind: 'folder' | 'file' | 'link' | 'other'
}

/** Names a folder, whatever its path is now. */
export interface Identity {
  readonly dev: bigint
  readonly ino: bigint
}

/**
 * A folder of a workspace that is held open. Another process may put a link where a folder was, between a look and a
 * deed. Everything that is reached through an open folder stays what it was when it was opened. So no path is ever
 * longer than one name, however deep the folder lies. Where the system has no /proc, paths stand in for that, and the
 * last moment is nobody's. All methods throw the system's error.
 */
export class OpenFolder implements Disposable {
  readonly #fd: number
  /** The path by which everything in the folder is reached. */
  readonly path: Buffer

  private constructor(path: Name, flags: number) {
    this.#fd = openSync(path, O_RDONLY | O_DIRECTORY | flags)
    this.path = REACHES_BY_NUMBER ? Buffer.from(`${HERE}/${this.#fd}`) : Buffer.from(path)
  }

  /** Opens a folder that is no link. */
  static open(path: Name): OpenFolder {
    return new OpenFolder(path, O_NOFOLLOW)
  }

  at(name: Name): Buffer {
    return Buffer.concat([this.path, SLASH, Buffer.from(name)])
  }

  /** One in it that is no link. */
  inner(name: Name): OpenFolder {
    return new OpenFolder(this.at(name), O_NOFOLLOW)
  }

  /** The folder above, where this one lies now. */
  above(): OpenFolder {
    return REACHES_BY_NUMBER
      ? new OpenFolder(this.at('..'), O_NOFOLLOW)
      : new OpenFolder(this.path.subarray(0, this.path.lastIndexOf(SLASH)), O_NOFOLLOW)
  }

  /**
   * One in it, wherever links lead: whether that is where it may be is for the caller to ask. The folder is created if
   * needed.
   */
  enter(name: Name): OpenFolder {
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

  /** The entries in no order, read piece by piece, so that a folder of a million files takes no memory. */
  *entries(): Generator<Entry, void> {
    // As latin1 each byte is one character: no name is lost that is not UTF-8.
    const listing = opendirSync(this.path, { encoding: 'latin1', bufferSize: LISTED_AT_ONCE })
    try {
      for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
        const name = Buffer.from(entry.name, 'latin1')
        if (entry.isDirectory()) yield { name, kind: 'folder' }
        else if (entry.isFile()) yield { name, kind: 'file' }
        else yield { name, kind: entry.isSymbolicLink() ? 'link' : 'other' }
      }
    } finally {
      listing.closeSync()
    }
  }

  identity(): Identity {
    const { dev, ino } = fstatSync(this.#fd, { bigint: true })
    return { dev, ino }
  }

  /** The facts of an entry; a link is not followed. */
  look(name: Name): Stats {
    return lstatSync(this.at(name))
  }

  /** A file in it that is no link, for reading. The open never waits. The caller finds out whether it is a file. */
  openFile(name: Name): number {
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
    return REACHES_BY_NUMBER ? readlinkSync(this.path, 'latin1') : realpathSync.native(this.path, 'latin1')
  }
}
