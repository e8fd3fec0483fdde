import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An entry of an archive, as tar reads it. */
type Entry = { readonly type?: string; readonly linkpath?: string | undefined }

/**
 * Decides which entries of an archive are written to a folder: those that lie in it wherever its links lead, whether the
 * archive brought them or a task left them there. A task in a container reaches its workspace alone, and must not reach
 * further by what is unpacked for it outside.
 */
export class StayWithin {
  readonly #root: string
  /** Those that the archive brings; they may not be there yet. */
  readonly #links = new Set<string>()
  #refused: string | undefined

  constructor(directory: string) {
    this.#root = realpathSync.native(directory)
  }

  /** The first entry that leads out. */
  get refused(): string | undefined {
    return this.#refused
  }

  allows(path: string, { type, linkpath = '' }: Entry): boolean {
    const names = path.split('/').filter((name) => name !== '' && name !== '.')
    const isOutside =
      leadsUp(path) ||
      (type === 'Link' && leadsUp(linkpath)) ||
      names.some((_, at) => this.#links.has(names.slice(0, at).join('/'))) ||
      !this.#isIn(this.#folderOf(names))
    if (isOutside) this.#refused ??= path
    else if (type === 'SymbolicLink') this.#links.add(names.join('/'))
    return !isOutside
  }

  /** Where the deepest folder above an entry that is there already really lies; empty: nobody knows. */
  #folderOf(names: readonly string[]): string {
    let folder = dirname(join(this.#root, ...names))
    while (this.#isIn(folder) && lstatSync(folder, { throwIfNoEntry: false }) === undefined) folder = dirname(folder)
    try {
      return realpathSync.native(folder)
    } catch {
      return ''
    }
  }

  #isIn(path: string): boolean {
    return path === this.#root || path.startsWith(`${this.#root}/`)
  }
}

const leadsUp = (path: string): boolean => path.startsWith('/') || path.split('/').includes('..')
