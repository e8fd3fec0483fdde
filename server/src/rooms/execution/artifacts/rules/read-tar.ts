import { Header } from 'tar'

/** One entry of an archive. Its bytes are read before the next entry is asked for, or passed over. */
export interface TarEntry {
  /** As the archive has it, less `./` before it. Nobody opens it: it is a name and no place. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  readonly mode: number
  /** Of a link. */
  readonly target: string | null
  content(): AsyncGenerator<Buffer, void>
}

/** The archive is not as archives are; the message is a sentence. */
export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive'
}

const BLOCK = 512
/** Of a header that holds a long path. */
const MOST_OF_HEADER = 64 * 1024

const KINDS: Readonly<Record<string, TarEntry['kind']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  SymbolicLink: 'link',
  Link: 'link',
}

/**
 * The entries of a tar in their order, holding one chunk at a time. Throws BrokenArchive where the tar is cut off or no tar.
 * Only the headers that say a path, a target or a size are heeded, since a stranger may have written the archive.
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry, void> {
  const bytes = new Bytes(chunks)
  let further: Further = {}
  for (;;) {
    const block = await bytes.take(BLOCK)
    const header = block && decode(block)
    // The last blocks are empty.
    if (!header || header.nullBlock) return
    const { type } = header
    const size = further.size ?? header.size ?? 0
    if (!Number.isSafeInteger(size) || size < 0) throw new BrokenArchive('The archive names an impossible size.')
    const before = FURTHER[type]
    if (before) {
      if (size > MOST_OF_HEADER)
        throw new BrokenArchive('The archive has a path that is longer than any file system takes.')
      const content = await bytes.take(size)
      if (!content) throw cutOff()
      further = { ...further, ...before(content) }
      await bytes.skip(-size & (BLOCK - 1))
      continue
    }
    let unread = size
    yield {
      path: (further.path ?? header.path ?? '').replace(/^(\.\/+)+/, ''),
      kind: KINDS[type] ?? 'other',
      size,
      mode: (header.mode ?? 0) & 0o777,
      target: KINDS[type] === 'link' ? (further.target ?? header.linkpath ?? '') : null,
      async *content() {
        while (unread > 0) {
          const piece = await bytes.some(unread)
          unread -= piece.length
          yield piece
        }
      },
    }
    await bytes.skip(unread + (-size & (BLOCK - 1)))
    further = {}
  }
}

function decode(block: Buffer): Header {
  let header: Header | undefined
  try {
    header = new Header(block)
  } catch {
    // It throws for numbers of an impossible form.
  }
  if (header?.nullBlock || header?.cksumValid) return header
  throw new BrokenArchive('A part of the archive is no entry of a tar.')
}

/** What a header before that of an entry says of it. */
interface Further {
  readonly path?: string
  readonly target?: string
  readonly size?: number
}

const FURTHER: Readonly<Record<string, (content: Buffer) => Further>> = {
  ExtendedHeader: readPax,
  OldExtendedHeader: readPax,
  // Of the whole archive: it names no path.
  GlobalExtendedHeader: () => ({}),
  NextFileHasLongPath: (content) => ({ path: textOf(content) }),
  OldGnuLongPath: (content) => ({ path: textOf(content) }),
  NextFileHasLongLinkpath: (content) => ({ target: textOf(content) }),
}

function textOf(content: Buffer): string {
  const end = content.indexOf(0)
  return content.toString('utf8', 0, end === -1 ? content.length : end)
}

/** Records of the form `<bytes of the record> <name>=<value>\n`; a value may hold line breaks. */
function readPax(content: Buffer): Further {
  let further: Further = {}
  for (let at = 0; at < content.length; ) {
    const [whole = '', digits = ''] = /^(\d{1,6}) /.exec(content.toString('latin1', at, at + 8)) ?? []
    const record = content.toString('utf8', at + whole.length, at + Number(digits) - 1)
    const [, name, value = ''] = /^([^=]+)=([^]*)$/.exec(record) ?? []
    if (whole === '' || name === undefined) throw new BrokenArchive('A header of the archive cannot be read.')
    if (name === 'path') further = { ...further, path: value }
    if (name === 'linkpath') further = { ...further, target: value }
    if (name === 'size') further = { ...further, size: /^\d{1,16}$/.test(value) ? Number(value) : -1 }
    at += Number(digits)
  }
  return further
}

function cutOff(): BrokenArchive {
  return new BrokenArchive('The archive ends in the middle of an entry.')
}

class Bytes {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Exactly so many; undefined at the end of the input. */
  async take(count: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = []
    for (let missing = count; missing > 0; ) {
      if (this.#rest.length === 0 && !(await this.#read())) {
        if (missing === count) return undefined
        throw cutOff()
      }
      pieces.push(this.#cut(missing))
      missing -= pieces.at(-1)?.length ?? 0
    }
    return Buffer.concat(pieces)
  }

  /** At least one, at most so many. */
  async some(most: number): Promise<Buffer> {
    if (this.#rest.length === 0 && !(await this.#read())) throw cutOff()
    return this.#cut(most)
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) left -= (await this.some(left)).length
  }

  async #read(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next()
      if (next.done) return false
      this.#rest = next.value
    }
    return true
  }

  #cut(most: number): Buffer {
    const piece = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }
}
