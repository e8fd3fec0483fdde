import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import type { ObjectStore } from '#adapters/object-store'
import type { RowSource, StoredTable } from '#platform/database'

/** The table whose rows name all objects. What else lies in a store belongs to nobody, and is deleted sooner or later. */
const TABLE = 'blob_parts'

interface NamedObject {
  readonly key: string
  readonly size: number
  readonly sha256: string
}

export interface Copied {
  readonly count: number
  readonly bytes: number
  /** Those that are not in the store, or are not what the row says. */
  readonly missing: readonly string[]
}

/** At a time, each at most a part of an archive (8 MiB) in memory. */
const AT_ONCE = 4

/** Reads every object that the rows name, and hands the good ones on. */
export async function copyObjects(
  rows: Pick<RowSource, 'tables' | 'copyRows'>,
  from: Pick<ObjectStore, 'get'>,
  put: (key: string, bytes: Buffer) => Promise<void>,
): Promise<Copied> {
  const table = rows.tables.find(({ name }) => name === TABLE)
  const missing: string[] = []
  const failed = new AbortController()
  let [count, bytes] = [0, 0]
  if (!table) return { count, bytes, missing }
  const named = listObjects(rows, table)
  const work = async (): Promise<void> => {
    while (!failed.signal.aborted) {
      const { value, done } = await named.next()
      if (done === true) return
      const object = await from.get(value.key)
      if (object === undefined || !isSame(value, object)) {
        missing.push(value.key)
        continue
      }
      await put(value.key, object)
      count += 1
      bytes += object.length
    }
  }
  const guarded = (): Promise<void> =>
    work().catch((error: unknown) => {
      failed.abort()
      throw error
    })
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, guarded))
  } finally {
    await named.return(undefined)
  }
  return { count, bytes, missing: missing.toSorted() }
}

function isSame({ size, sha256 }: NamedObject, object: Buffer): boolean {
  return object.length === size && createHash('sha256').update(object).digest('hex') === sha256
}

/** Keys, numbers and digests have no character that COPY's text format writes otherwise. */
async function* listObjects(
  rows: Pick<RowSource, 'copyRows'>,
  table: StoredTable,
): AsyncGenerator<NamedObject, undefined, undefined> {
  const column = (name: string): number => table.columns.indexOf(name)
  const [key, size, sha256] = [column('object'), column('size'), column('sha256')]
  const text = new PassThrough()
  const copied = rows.copyRows(table, text).catch((error: unknown) => void text.destroy(toError(error)))
  try {
    let rest = ''
    for await (const chunk of text.setEncoding('latin1')) {
      const lines = `${rest}${String(chunk)}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const values = line.split('\t')
        yield { key: values[key] ?? '', size: Number(values[size]), sha256: values[sha256] ?? '' }
      }
    }
  } finally {
    text.destroy()
    await copied
  }
  return undefined
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
