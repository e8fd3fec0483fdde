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

  /** With its body, which is read in the same time: what breaks off in the middle is as if it had not begun. */
  async function call(method: 'GET' | 'PUT' | 'DELETE' | 'HEAD', url: string, body?: Uint8Array): Promise<Answered> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      // Copies the bytes where they are part of a larger buffer: fetch would send the whole buffer.
      const content = body === undefined ? {} : { body: new Uint8Array(body) }
      // Signature, key and bytes are for this host alone; a redirect would take them to another.
      const response = await client.fetch(url, { method, signal, redirect: 'manual', ...content })
      const { ok, status } = response
      return { ok, status, bytes: Buffer.from(await response.arrayBuffer()) }
    } catch (error) {
      const what = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : ''
      throw new ObjectStoreFailed(`The object store ${options.endpoint} cannot be reached: ${what}.`, { cause: error })
    }
  }

  const urlOf = (key: string): string => `${base}/${requireKey(key)}`

  return {
    async put(key, bytes) {
      requireOk(options, await call('PUT', urlOf(key), bytes))
    },
    async get(key) {
      const answered = await call('GET', urlOf(key))
      // A bucket that is not there says nothing of its objects.
      if (answered.status === 404 && codeOf(answered) !== 'NoSuchBucket') return undefined
      requireOk(options, answered)
      return answered.bytes
    },
    async delete(keys) {
      for (const key of keys) requireOk(options, await call('DELETE', urlOf(key)))
    },
    async check() {
      requireOk(options, await call('HEAD', `${options.endpoint}/${options.bucket}`))
    },
  }
}

interface Answered {
  readonly ok: boolean
  readonly status: number
  readonly bytes: Buffer
}

/** The name of the error, where the answer has one. */
function codeOf({ bytes }: Answered): string | undefined {
  return /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(bytes.toString('utf8', 0, 4096))?.[1]
}

function requireOk({ endpoint, bucket }: S3Options, answered: Answered): void {
  const { ok, status } = answered
  if (ok) return
  const code = codeOf(answered)
  const what = code === undefined ? `status ${status}` : `${code}, status ${status}`
  const full = status === 507 || code === 'QuotaExceeded'
  throw new ObjectStoreFailed(`The object store ${endpoint} refused a request for bucket ${bucket}: ${what}.`, { full })
}
