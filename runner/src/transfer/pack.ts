import { createHash } from 'node:crypto'
import { Header, Pax } from 'tar'
import type { OpenFolder } from '../trees/open-folder.ts'
import type { ByteLimit } from './byte-limit.ts'
import type { FoundFile } from './read-files.ts'
import { readFiles } from './read-files.ts'

const BLOCK_BYTES = 512

/**
 * The bytes of a tar of these files. The tar holds neither owners nor times, so that the same files make the same
 * archive. Throws a sentence before reading the file that would exceed the limit, so that every packed archive can be
 * unpacked, too.
 */
export async function* packFiles(
  root: OpenFolder,
  names: readonly string[],
  limit: ByteLimit,
): AsyncGenerator<Buffer, void> {
  for await (const file of readFiles(root, names)) {
    const header = headerOf(file)
    const size = file.kind === 'file' ? file.size : 0
    const padding = Buffer.alloc(-size & (BLOCK_BYTES - 1))
    limit.count(header.length + size + padding.length)
    yield header
    if (file.kind === 'link') continue
    yield* file.bytes
    yield padding
  }
  const end = Buffer.alloc(2 * BLOCK_BYTES)
  limit.count(end.length)
  yield end
}

/** With an extended one before it where a name or a size is too long for it. */
function headerOf(file: FoundFile): Buffer {
  // A name that begins with a slash or a dash would mean something else to some programs.
  const path = `./${file.name}`
  const fields =
    file.kind === 'link'
      ? { path, type: 'SymbolicLink' as const, linkpath: file.target, size: 0, mode: 0o755 }
      : { path, type: 'File' as const, size: file.size, mode: ownersMode(file.mode) }
  const header = new Header(fields)
  const extended = header.encode() ? new Pax(fields).encode() : Buffer.alloc(0)
  return Buffer.concat([extended, header.block ?? Buffer.alloc(0)])
}

/** Only the user who unpacks the file may write it, whatever the umask is. */
function ownersMode(mode: number): number {
  return (mode & 0o755) | 0o600
}

/** A digest of the names and contents of files; with the same limit. */
export async function digestFiles(root: OpenFolder, names: readonly string[], limit: ByteLimit): Promise<string> {
  const hash = createHash('sha256')
  for await (const file of readFiles(root, names)) {
    if (file.kind === 'file') limit.count(file.size)
    hash.update(`${file.name}\0${file.kind}\0`)
    if (file.kind === 'link') hash.update(file.target)
    else for await (const chunk of file.bytes) hash.update(chunk)
    hash.update('\0')
  }
  return hash.digest('hex')
}
