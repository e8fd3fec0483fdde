import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isFullDisk, systemCode } from '../../errors.ts'
import { replaceFile } from '../../replace-file.ts'
import type { Credentials } from './engine/engine.ts'

// Each is 72 bytes of a file; engines hold fewer images.
const MOST_OPEN = 10_000
const MOST_GRANTED = 4000
const ANY_RUN = ''

/** A run that asks for an image by this name. */
export interface ImageRequest {
  readonly runId: string
  readonly image: string
  readonly credentials: Credentials | undefined
}

/**
 * The runner's knowledge of images that are here, whichever task had them pulled. A file lists the images that a
 * registry gave away without a password. Memory holds which image a registry gave to which run.
 */
export class KnownImages {
  readonly #path: string
  readonly #open: Set<string>
  readonly #granted = new Set<string>()

  constructor(path: string) {
    this.#path = path
    this.#open = new Set(readIds(path))
  }

  isOpen(id: string): boolean {
    return this.#open.has(id)
  }

  /** A registry gave this image to somebody who named no password. */
  opened(id: string): void {
    if (this.#open.has(id)) return
    this.#open.add(id)
    dropOldest(this.#open, MOST_OPEN)
    this.#write()
  }

  /** The registry wants a password now. */
  closed(id: string): void {
    if (this.#open.delete(id)) this.#write()
  }

  /** Like `isGranted`, for any run: a task with this password has had this very image since the runner began. */
  wasGranted(request: Omit<ImageRequest, 'runId'>, id: string): boolean {
    return this.#granted.has(keyOf({ ...request, runId: ANY_RUN }, id))
  }

  /**
   * Whether the registry gave this very image to this run already, so that its many tasks ask once. Another run may have
   * had a newer one pulled by the same name since, with a password.
   */
  isGranted(request: ImageRequest, id: string): boolean {
    return this.#granted.has(keyOf(request, id))
  }

  granted(request: ImageRequest, id: string): void {
    for (const runId of [request.runId, ANY_RUN]) {
      this.#granted.add(keyOf({ ...request, runId }, id))
      dropOldest(this.#granted, MOST_GRANTED)
    }
  }

  /** On a full disk only this process knows. */
  #write(): void {
    try {
      replaceFile(this.#path, [...this.#open].map((id) => `${id}\n`).join(''), 0o600)
    } catch (error) {
      if (!isFullDisk(error)) throw error
    }
  }
}

function dropOldest(values: Set<string>, most: number): void {
  const [oldest] = values
  if (values.size > most && oldest !== undefined) values.delete(oldest)
}

function keyOf({ runId, image, credentials }: ImageRequest, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([runId, image, id, credentials?.username, credentials?.password]))
    .digest('hex')
}

function readIds(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /^(sha256:)?[0-9a-f]{64}$/.test(line))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
