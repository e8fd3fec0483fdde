import { createReadStream, type Stats } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { extract, ReadEntry } from 'tar'
import { CommandFailed } from '../errors.ts'

const MB = 1_048_576

/**
 * Unpacks an archive (tar, compressed with zstd) into a folder, and creates the folder if needed. Few bytes may stand
 * for very many: they are counted first, and nothing is written when they are more than `limitMb`.
 */
export async function unpackArchive(file: string, folder: string, limitMb: number): Promise<void> {
  await pipeline(createReadStream(file), createZstdDecompress(), counting(limitMb))
  await mkdir(folder, { recursive: true })
  const problems: string[] = []
  // tar only reports a failed write and goes on.
  const onwarn = (code: string, message: string | Error) => {
    if (code !== 'TAR_ENTRY_INFO') problems.push(message instanceof Error ? message.message : message)
  }
  // The archive cannot give special rights (setuid) to its files.
  const filter = (_: string, entry: Stats | ReadEntry) => {
    if (entry instanceof ReadEntry) entry.mode = (entry.mode ?? 0o644) & 0o777
    return true
  }
  await pipeline(createReadStream(file), createZstdDecompress(), extract({ cwd: folder, onwarn, filter }))
  const [first] = problems
  if (first === undefined) return
  throw new CommandFailed(
    'unexpected',
    `${problems.length} of the files in the archive could not be written to ${folder}: ${first}.`,
    'Keep the archive with -o, and unpack it with tar.',
  )
}

function counting(limitMb: number): Writable {
  let bytes = 0
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes <= limitMb * MB) return done()
      const message = `The files of the archive have more than ${limitMb} MB; nothing was unpacked.`
      return done(new CommandFailed('unexpected', message, 'Allow more with --limit-mb, or keep the archive with -o.'))
    },
  })
}
