import { MOST_DEPTH, MOST_FILES, MOST_PATH_BYTES, tooDeep, tooLong } from './limits.ts'

/** An entry of an archive, as tar reads it. */
interface Entry {
  readonly type?: string
  readonly linkpath?: string | undefined
}

/**
 * Decides which entries of an archive are unpacked: those that lie in the folder wherever the links lead that the
 * archive itself brings. The archive may come from another task.
 */
export class StayWithin {
  readonly #links = new Set<string>()
  #entries = 0
  #problem: string | undefined

  /** The fault of the first refused entry. */
  get problem(): string | undefined {
    return this.#problem
  }

  allows(path: string, { type, linkpath = '' }: Entry): boolean {
    const names = namesOf(path)
    if (++this.#entries > MOST_FILES) this.#problem ??= `there are more than ${MOST_FILES} files in the archive`
    if (names.length > MOST_DEPTH + 1 || namesOf(linkpath).length > MOST_DEPTH + 1)
      this.#problem ??= tooDeep(path).message
    if (Buffer.byteLength(path) > MOST_PATH_BYTES) this.#problem ??= tooLong(path).message
    // The checks below take time by the square of the depth.
    if (this.#problem !== undefined) return false
    const isOutside =
      leadsUp(path) ||
      this.#isBehindLink(names) ||
      (type === 'Link' && (leadsUp(linkpath) || this.#isBehindLink(namesOf(linkpath))))
    if (isOutside) this.#problem ??= `${path} in the archive leads out of the workspace`
    if (this.#problem !== undefined) return false
    // Another name for a link is a link, too.
    const isLink = type === 'SymbolicLink' || (type === 'Link' && this.#links.has(namesOf(linkpath).join('/')))
    if (isLink) this.#links.add(names.join('/'))
    return true
  }

  #isBehindLink(names: readonly string[]): boolean {
    return names.some((_, at) => this.#links.has(names.slice(0, at).join('/')))
  }
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

function leadsUp(path: string): boolean {
  return path.startsWith('/') || path.split('/').includes('..')
}
