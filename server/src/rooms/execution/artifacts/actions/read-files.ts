import { Readable } from 'node:stream'
import { constants, createZstdDecompress } from 'node:zlib'
import type { ArtifactFile, ArtifactFileQuery, ArtifactFiles, ArtifactFilesQuery } from '@signalbox/contracts/artifacts'
import type { Answer } from '#platform/http'
import { artifactProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { BrokenArchive, contentTypeOf, readTar, type TarEntry } from '../rules/index.ts'
import type { Archive } from './fetch-archive.ts'
import { type Asking, inPieces, readArchive, takeShare } from './stream-blob.ts'

/** Of the memory that archives on their way share: a part, the window of the decompressor, and what both hold besides. */
const HELD = 24 * 1024 * 1024
/** 2^23 bytes: more than what runners compress with, and a bound for what others do. */
const WINDOW_LOG = 23
/** What the decompressor hands over at once. */
const CHUNK = 256 * 1024
/** A listing, or the search for one file, reads no more than this and no longer. */
const MOST_BYTES = 8 * 1024 ** 3
const MOST_MS = 20_000
const MOST_ENTRIES = 10_000
const USUAL_LIMIT = 200
/** Paths of one page, however long each is. */
const MOST_TEXT = 1024 * 1024

/** The files of an archive by their place in it. What was read before the archive broke is answered, too. */
export async function listFiles(
  means: Means,
  blob: Archive,
  { after = 0, limit = USUAL_LIMIT }: ArtifactFilesQuery,
  asking: Asking,
): Promise<ArtifactFiles> {
  await using archive = await openArchive(means, blob, asking)
  const files: ArtifactFile[] = []
  let place = 0
  let text = 0
  try {
    for await (const entry of archive.entries) {
      place += 1
      if (place <= after) continue
      if (place > MOST_ENTRIES) {
        return { files, next: null, unread: `The archive has more than ${MOST_ENTRIES} entries: download it.` }
      }
      const { path, kind, size, mode, target } = entry
      if (files.length === limit || (files.length > 0 && text + path.length > MOST_TEXT)) {
        return { files, next: place - 1, unread: null }
      }
      text += path.length + (target?.length ?? 0)
      files.push({ path, kind, size, mode: mode.toString(8).padStart(3, '0'), target })
    }
  } catch (error) {
    return { files, next: null, unread: archive.explain(error) }
  }
  return { files, next: null, unread: null }
}

/** The bytes of one file. Throws `artifact.file_unknown` (404), and `artifact.unreadable` (422) with a sentence. */
export async function openFile(
  means: Means,
  blob: Archive,
  { path, inline = false }: ArtifactFileQuery,
  asking: Asking,
): Promise<Answer<200, Readable>> {
  const archive = await openArchive(means, blob, asking)
  try {
    const entry = await find(archive, path)
    const content = entry.content()
    const first = await content.next().catch((error: unknown) => {
      throw artifactProblem('artifact.unreadable', archive.explain(error))
    })
    archive.letRun()
    const beginning = first.done ? Buffer.alloc(0) : first.value
    const shown = inline ? contentTypeOf(beginning) : undefined
    const cut = (): void => void stream.destroy(new Error('the reader takes nothing any more'))
    const pieces = inPieces(chain(beginning, content), means.clock, cut)
    const stream = Readable.from(pieces, { objectMode: false })
    stream.once('close', () => void archive[Symbol.asyncDispose]())
    return { status: 200, body: stream, headers: headersOf(entry, shown) }
  } catch (error) {
    await archive[Symbol.asyncDispose]()
    throw error
  }
}

async function find(archive: OpenArchive, path: string): Promise<TarEntry> {
  const wanted = path.replace(/^(\.\/+)+/, '')
  try {
    for (;;) {
      // By hand: the end of a `for await` would close the archive.
      const { value: entry, done } = await archive.entries.next()
      if (done) break
      if (entry.path !== wanted) continue
      if (entry.kind === 'file') return entry
      const hint = entry.target === null ? '' : ` It leads to ${entry.target}: links are not followed.`
      throw artifactProblem('artifact.no_file', `This entry of the archive is a ${entry.kind} and no file.${hint}`)
    }
  } catch (error) {
    if (archive.isOurs(error)) throw artifactProblem('artifact.unreadable', archive.explain(error))
    throw error
  }
  throw artifactProblem(
    'artifact.file_unknown',
    'The archive has no file of this path. Paths are as the list shows them.',
  )
}

function headersOf({ path, size }: TarEntry, shown: string | undefined): Record<string, string> {
  const name = (path.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(-200)
  return {
    'content-type': shown ?? 'application/octet-stream',
    'content-length': String(size),
    'content-disposition': `${shown === undefined ? 'attachment' : 'inline'}; filename="${name}"`,
    // Whatever a browser makes of it, it runs nothing and belongs to nobody.
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
}

interface OpenArchive extends AsyncDisposable {
  readonly entries: AsyncGenerator<TarEntry, void>
  /** The sentence for what went wrong while reading; throws what is no fault of the archive. */
  explain(error: unknown): string
  isOurs(error: unknown): boolean
  /** From now on the reader's pace counts, and no limit of time. */
  letRun(): void
}

/** Takes a share of the memory for archives, and gives it back when it is disposed of. */
async function openArchive(means: Means, blob: Archive, { holder, signal }: Asking): Promise<OpenArchive> {
  const giveBack = await takeShare(means, holder, HELD, signal)
  let tooLong: string | undefined
  let isRunning = false
  const decompress = createZstdDecompress({ chunkSize: CHUNK, params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } })
  const source = Readable.from(readArchive(means, blob, signal), { objectMode: false, highWaterMark: 1 })
  source.once('error', (error) => decompress.destroy(error))
  source.pipe(decompress)
  const stop = (why: string): void => {
    tooLong = why
    decompress.destroy(new BrokenArchive(why))
  }
  const timer = means.clock.after(MOST_MS, () => stop('The archive takes too long to read through: download it.'))
  const counted = async function* (): AsyncGenerator<Buffer, void> {
    let total = 0
    for await (const chunk of decompress as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > MOST_BYTES && !isRunning) stop('The archive is too large to read through: download it.')
      yield chunk
    }
  }
  const isOurs = (error: unknown): boolean => error instanceof BrokenArchive || isZstdError(error)
  return {
    entries: readTar(counted()),
    isOurs,
    explain(error) {
      if (tooLong !== undefined) return tooLong
      if (error instanceof BrokenArchive) return error.message
      if (isZstdError(error)) return 'The bytes of the archive are no zstd, or end too early.'
      throw error
    },
    letRun() {
      isRunning = true
      timer.cancel()
    },
    async [Symbol.asyncDispose]() {
      timer.cancel()
      source.destroy()
      decompress.destroy()
      giveBack()
    },
  }
}

function isZstdError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(ZSTD_|Z_|ERR_ZSTD)/.test(String(error.code))
}

async function* chain(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield first
  yield* rest
}
