import { AwsClient } from 'aws4fetch'
import { type ObjectStore, ObjectStoreFailed, requireKey } from './port.ts'

export interface S3Options {
  readonly bucket: string
  /** Before every key; empty or without slashes at its ends. */
  readonly prefix: string
  /** Without a slash at its end; the bucket is put into the path, which every S3-compatible server understands. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const TIMEOUT_MS = 60_000
/** With growing pauses, after 5xx and 429. */
const RETRIES = 3

/** Objects in a bucket of Amazon S3, MinIO, Ceph or whatever speaks the same protocol. */
export function createS3Store(options: S3Options): ObjectStore {
  const { accessKeyId, secretAccessKey, region } = options
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES })
  const base = [options.endpoint, options.bucket, options.prefix].filter((part) => part !== '').join('/')

  async function call(method: 'GET' | 'PUT' | 'DELETE' | 'HEAD', url: string, body?: Uint8Array): Promise<Response> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      // A copy where the bytes are part of a larger buffer: fetch sends what it is given.
      const content = body === undefined ? {} : { body: new Uint8Array(body) }
      return await client.fetch(url, { method, signal, ...content })
    } catch (error) {
      const what = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : ''
      throw new ObjectStoreFailed(`The object store ${options.endpoint} cannot be reached: ${what}.`, { cause: error })
    }
  }

  const urlOf = (key: string): string => `${base}/${requireKey(key)}`

  return {
    async put(key, bytes) {
      const response = await call('PUT', urlOf(key), bytes)
      await requireOk(options, response)
    },
    async get(key) {
      const response = await call('GET', urlOf(key))
      if (response.status === 404) {
        await response.body?.cancel()
        return undefined
      }
      await requireOk(options, response, false)
      return Buffer.from(await response.arrayBuffer())
    },
    async delete(keys) {
      for (const key of keys) await requireOk(options, await call('DELETE', urlOf(key)))
    },
    async check() {
      const response = await call('HEAD', `${options.endpoint}/${options.bucket}`)
      if (!response.ok) throw refused(options, response.status)
    },
  }
}

/** Reads what is left of the answer, so that its connection can be used again. */
async function requireOk(options: S3Options, response: Response, consume = true): Promise<void> {
  if (!response.ok) {
    const text = await response.text()
    throw refused(options, response.status, /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(text)?.[1])
  }
  if (consume) await response.body?.cancel()
}

function refused({ endpoint, bucket }: S3Options, status: number, code?: string): ObjectStoreFailed {
  const what = code === undefined ? `status ${status}` : `${code}, status ${status}`
  const full = status === 507 || code === 'QuotaExceeded'
  return new ObjectStoreFailed(`The object store ${endpoint} refused a request for bucket ${bucket}: ${what}.`, {
    full,
  })
}
