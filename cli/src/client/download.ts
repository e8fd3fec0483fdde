import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandFailed } from '../errors.ts'
import { Unreachable } from './problem.ts'

const TRIES = 8
const FIRST_PAUSE_MS = 250

/** The expectations of a download. */
export interface Wanted {
  readonly size: number
  readonly sha256: string
}

/**
 * Writes the answer of `read`, from a byte on, to `file`. A broken download goes on at its last byte, also in a later
 * call. Throws where the digest differs.
 */
export async function download(read: (from: number) => Promise<Response>, file: string, wanted: Wanted): Promise<void> {
  for (let tries = 1; (await sizeOf(file)) < wanted.size; tries += 1) {
    try {
      const response = await read(await sizeOf(file))
      if (!response.body) break
      await pipeline(
        Readable.from(response.body),
        createWriteStream(file, { flags: response.status === 206 ? 'a' : 'w' }),
      )
    } catch (error) {
      // A connection that breaks off during reading is a TypeError of fetch; a full disk is another error.
      const passing = error instanceof Unreachable || error instanceof TypeError
      if (!passing || tries === TRIES) throw error
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  if (hash.digest('hex') === wanted.sha256) return
  throw new CommandFailed(
    'unexpected',
    `${file} is not what was stored: its digest differs.`,
    'Remove it and try again.',
  )
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}
