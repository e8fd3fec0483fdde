import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobAnswer, CacheAnswer, CacheStored } from '@signalbox/contracts/artifacts'
import type { Transfer } from '@signalbox/contracts/runner'
import { describeError, fullDisk, isFullDisk } from '../errors.ts'
import type { Time } from '../time/index.ts'
import { pause } from '../time/index.ts'
import type { Archive } from './archives.ts'

/** The control plane refused, or could not be had for too long. The message is a sentence. */
export class TransferError extends Error {
  override readonly name = 'TransferError'
}

/** The whole request may be made again. */
class TryAgain extends Error {
  override readonly name = 'TryAgain'
}

const ATTEMPTS = 12
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
const REQUEST_MS = 120_000
/** The request came too slowly; there are too many. */
const PASSING_STATUS: ReadonlySet<number> = new Set([408, 429])

/** Sends and fetches archives of one attempt. A transfer that breaks off goes on where it was. */
export class TransferClient {
  readonly #transfer: Transfer
  readonly #time: Time
  readonly #signal: AbortSignal

  constructor(transfer: Transfer, time: Time, signal: AbortSignal) {
    this.#transfer = transfer
    this.#time = time
    this.#signal = signal
  }

  /** Resolves once the control plane has the whole archive, checked. */
  async send(archive: Archive, purpose: 'artifact' | 'cache'): Promise<void> {
    let mostStored = 0
    const once = async () => {
      const { sha256, size } = archive
      const opened = readBlob(await this.#json('/blobs', { sha256, size, for: purpose }))
      if (opened.complete) return
      let stored = Math.ceil(size / opened.part_size) - opened.missing.length
      const file = await open(archive.file)
      try {
        for (const number of opened.missing) {
          const length = Math.min(opened.part_size, size - number * opened.part_size)
          const { buffer } = await file.read(Buffer.alloc(length), 0, length, number * opened.part_size)
          await this.#call('PUT', `/blobs/${opened.id}/parts/${number}`, buffer, 'application/octet-stream')
          stored += 1
          mostStored = Math.max(mostStored, stored)
        }
      } finally {
        await file.close()
      }
      await this.#call('POST', `/blobs/${opened.id}/complete`)
    }
    await this.#again(once, () => mostStored)
  }

  async keepArtifact(name: string, archive: Archive, retentionSeconds: number): Promise<void> {
    const { sha256, files } = archive
    const retention = retentionSeconds === 0 ? {} : { retention_seconds: retentionSeconds }
    await this.#again(() => this.#json('/artifacts', { name, sha256, files, ...retention }))
  }

  async keepCache(key: string, archive: Archive): Promise<CacheStored> {
    const answer = await this.#again(() => this.#json('/caches', { key, sha256: archive.sha256 }))
    const { stored, reason } = fieldsOf(answer)
    return { stored: stored === true, reason: typeof reason === 'string' ? reason : null }
  }

  async findCache(key: string, fallback: readonly string[]): Promise<CacheAnswer['hit']> {
    const { hit } = fieldsOf(await this.#again(() => this.#json('/caches/lookup', { key, fallback })))
    if (hit === null || hit === undefined) return null
    const { id, key: found, exact, size, sha256 } = fieldsOf(hit)
    if (typeof id !== 'string' || typeof found !== 'string' || typeof sha256 !== 'string') return null
    return { id, key: found, exact: exact === true, size: Number(size), sha256 }
  }

  /** Writes the archive to `file`, and holds it against its digest. */
  async fetch(kind: 'artifacts' | 'caches', id: string, file: string): Promise<void> {
    let etag: string | undefined
    let mostFetched = 0
    const once = async () => {
      const from = await sizeOf(file)
      const response = await this.#request('GET', `/${kind}/${id}`, from === 0 ? {} : { range: `bytes=${from}-` })
      // The range began at the end of the archive, so all of it is here.
      if (response.status === 400 && from > 0) return void (await response.body?.cancel())
      await this.#requireOk(response)
      etag = response.headers.get('etag') ?? etag
      const flags = response.status === 206 ? 'a' : 'w'
      if (response.body === null) return
      try {
        await pipeline(Readable.from(response.body), createWriteStream(file, { flags, mode: 0o600 }))
      } catch (error) {
        this.#signal.throwIfAborted()
        // Another try would find no more room.
        if (isFullDisk(error)) throw new TransferError(fullDisk(dirname(file)), { cause: error })
        mostFetched = Math.max(mostFetched, await sizeOf(file))
        throw new TryAgain(describeError(error))
      }
    }
    await this.#again(once, () => mostFetched)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk)
    if (etag !== undefined && etag !== `"${hash.digest('hex')}"`) {
      throw new TransferError('The fetched bytes are not the stored bytes: the digest differs.')
    }
  }

  async #json(path: string, body: object): Promise<unknown> {
    const response = await this.#call('POST', path, JSON.stringify(body), 'application/json')
    const text = await response.text().catch((error: unknown) => {
      this.#signal.throwIfAborted()
      throw new TryAgain(`The control plane's answer broke off: ${describeError(error)}.`)
    })
    try {
      return JSON.parse(text)
    } catch {
      throw notUnderstood()
    }
  }

  async #call(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, type = ''): Promise<Response> {
    const response = await this.#request(method, path, type === '' ? {} : { 'content-type': type }, body)
    await this.#requireOk(response)
    return response
  }

  async #request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    const { url, token } = this.#transfer
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_MS)])
    try {
      return await fetch(`${url.replace(/\/+$/, '')}/v1/transfers${path}`, {
        method,
        signal,
        redirect: 'error',
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body }),
      })
    } catch (error) {
      this.#signal.throwIfAborted()
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : describeError(error)
      throw new TryAgain(`The control plane cannot be reached at ${url}: ${cause}.`)
    }
  }

  async #requireOk(response: Response): Promise<void> {
    if (response.ok) return
    const { code, detail } = fieldsOf(await response.json().catch(() => undefined))
    const sentence = typeof detail === 'string' ? detail : `The control plane answered with status ${response.status}.`
    const passing = response.status >= 500 || PASSING_STATUS.has(response.status) || code === 'transfer.digest_differs'
    throw passing ? new TryAgain(sentence) : new TransferError(sentence)
  }

  /** With growing pauses, until the attempt is stopped, or for some minutes `reached` has not grown. */
  async #again<T>(work: () => Promise<T>, reached: () => number = () => 0): Promise<T> {
    let best = 0
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error
        if (reached() > best) attempt = 1
        best = reached()
        if (attempt === ATTEMPTS) throw new TransferError(error.message, { cause: error })
      }
      await pause(this.#time, Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS), this.#signal)
      this.#signal.throwIfAborted()
    }
  }
}

function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function readBlob(value: unknown): BlobAnswer {
  const { id, part_size: partSize, missing, complete } = fieldsOf(value)
  if (typeof id !== 'string' || typeof partSize !== 'number' || !Array.isArray(missing)) {
    throw notUnderstood()
  }
  return { id, part_size: partSize, missing: missing.map(Number), complete: complete === true }
}

function notUnderstood(): TransferError {
  return new TransferError('The control plane answered something that this runner does not understand.')
}
