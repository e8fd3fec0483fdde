import { closeSync, createReadStream, fstatSync, readlinkSync } from 'node:fs'
import { systemCode } from '../errors.ts'
import type { OpenFolder } from '../trees/open-folder.ts'
import { isChange } from '../trees/walk.ts'

/** A file of a workspace at the moment at which it is opened. */
export type FoundFile =
  | { readonly kind: 'link'; readonly name: string; readonly target: string }
  | {
      readonly kind: 'file'
      readonly name: string
      readonly mode: number
      readonly size: number
      readonly bytes: Bytes
    }

type Bytes = AsyncIterable<Buffer>

const CHUNK_BYTES = 256 * 1024

/**
 * The files of these names, one after another and open one at a time. No file is opened through a link, so that a task
 * in the workspace gets nothing read that lies outside of it. Each one's `bytes` are as many as its `size`. Throws a
 * sentence where one was removed or exchanged.
 */
export async function* readFiles(root: OpenFolder, names: readonly string[]): AsyncGenerator<FoundFile, void> {
  using line = new FolderLine(root)
  for (const name of names) yield* readOne(line, name)
}

async function* readOne(line: FolderLine, name: string): AsyncGenerator<FoundFile, void> {
  const slash = name.lastIndexOf('/')
  const own = name.slice(slash + 1)
  const opened = saying(name, () => {
    const folder = line.reach(slash === -1 ? [] : name.slice(0, slash).split('/'))
    if (folder.look(own).isSymbolicLink()) return targetOf(folder.at(own), name)
    return folder.openFile(own)
  })
  if (typeof opened === 'string') {
    yield { kind: 'link', name, target: opened }
    return
  }
  try {
    const stat = fstatSync(opened)
    if (!stat.isFile()) throw changed(name)
    yield { kind: 'file', name, mode: stat.mode, size: stat.size, bytes: bytesOf(opened, name, stat.size) }
  } finally {
    closeSync(opened)
  }
}

async function* bytesOf(fd: number, name: string, size: number): AsyncGenerator<Buffer, void> {
  if (size === 0) return
  let left = size
  const stream = createReadStream('', { fd, start: 0, end: size - 1, autoClose: false, highWaterMark: CHUNK_BYTES })
  for await (const chunk of stream) {
    left -= chunk.length
    yield chunk
  }
  if (left > 0) throw changed(name)
}

/** The folders down to the last one. Names come in order, so most of the folders are open already. */
class FolderLine implements Disposable {
  readonly #root: OpenFolder
  readonly #open: { readonly name: string; readonly folder: OpenFolder }[] = []

  constructor(root: OpenFolder) {
    this.#root = root
  }

  reach(names: readonly string[]): OpenFolder {
    const same = this.#open.findIndex(({ name }, at) => name !== names[at])
    this.#closeFrom(same === -1 ? names.length : same)
    for (const name of names.slice(this.#open.length)) {
      const above = this.#open.at(-1)?.folder ?? this.#root
      this.#open.push({ name, folder: above.inner(name) })
    }
    return this.#open.at(-1)?.folder ?? this.#root
  }

  [Symbol.dispose](): void {
    this.#closeFrom(0)
  }

  #closeFrom(count: number): void {
    for (const { folder } of this.#open.splice(count).toReversed()) folder[Symbol.dispose]()
  }
}

function targetOf(link: Buffer, name: string): string {
  const bytes = readlinkSync(link, 'buffer')
  const target = bytes.toString('utf8')
  if (Buffer.from(target).equals(bytes)) return target
  throw new RangeError(
    `the link ${name} leads to a name that is not UTF-8, and no archive can hold it; exclude it with "!"`,
  )
}

function saying<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw error
    if (isChange(error)) throw changed(name, error)
    throw new Error(`${name} cannot be read (${systemCode(error) ?? String(error)})`, { cause: error })
  }
}

function changed(name: string, cause?: unknown): Error {
  return new Error(`${name} was changed while it was read; let no other task write there at that time`, { cause })
}
