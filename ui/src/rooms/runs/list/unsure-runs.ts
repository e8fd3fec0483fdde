import { isFinal } from '../../../theme/index.ts'
import type { RunRow } from '../run.ts'

/** So many changed rows beyond the beginning of the list are read one by one in one turn. */
const MOST_SINGLE = 10
/** So many are read in one turn as a further part of the list. */
const MOST_LISTED = 200

/** How rows are read. */
export interface RunReader {
  /** The beginning of the list, or so many rows of it from `from` on. */
  list(part?: { readonly from: RunRow; readonly limit: number }): Promise<readonly RunRow[]>
  /** Undefined where the run cannot be seen any more. */
  one(id: string): Promise<RunRow | undefined>
}

/**
 * The rows of a list that may be old, as events told, until they have been read. One turn reads the beginning of the list, at
 * most one further part of it, and a few rows singly: what is left over waits for the next turn.
 */
export class UnsureRuns {
  #ids = new Set<string>()
  /** Those that are no longer where the list had them: a filter lets them through no more. Only they themselves say how they are. */
  #left = new Set<string>()
  #isAll = false
  /** The next further part begins below this row, so that each has its turn. */
  #reached: string | undefined

  /** An event told of this run; empty: of several, or something may have been missed. */
  note(id: string): void {
    if (id === '') this.#isAll = true
    else this.#ids.add(id)
  }

  /** Something is left over for the next turn. */
  get isLeft(): boolean {
    return this.#isAll || this.#ids.size > 0 || this.#left.size > 0
  }

  /** One turn. What it did not read stays noted, and so does everything where it fails. */
  async read(
    shown: readonly RunRow[],
    reader: RunReader,
  ): Promise<Readonly<Record<'beginning' | 'further', readonly RunRow[]>>> {
    const ids = new Set([...this.#ids, ...(this.#isAll ? shown.filter(isUnended).map(({ run_id: id }) => id) : [])])
    const left = this.#left
    this.#ids = new Set()
    this.#left = new Set()
    this.#isAll = false
    try {
      const beginning = await reader.list()
      const sure = new Set(beginning.map(({ run_id: id }) => id))
      const beyond = shown.filter(({ run_id: id }) => !sure.has(id))
      const further = await this.#readBeyond(
        beyond.filter(({ run_id: id }) => ids.has(id) && !left.has(id)),
        beyond.filter(({ run_id: id }) => left.has(id)),
        reader,
      )
      return { beginning, further }
    } catch (error) {
      // What was told meanwhile is noted, too.
      this.#ids = new Set([...this.#ids, ...ids])
      this.#left = new Set([...this.#left, ...left])
      throw error
    }
  }

  async #readBeyond(rows: readonly RunRow[], left: readonly RunRow[], reader: RunReader): Promise<readonly RunRow[]> {
    const part = rows.length > MOST_SINGLE ? await this.#readPart(rows, reader) : { read: [], gone: rows, unread: [] }
    const single = [...left, ...part.gone].map(({ run_id: id }) => id)
    const found = await Promise.all(single.slice(0, MOST_SINGLE).map((id) => reader.one(id)))
    for (const id of single.slice(MOST_SINGLE)) this.#left.add(id)
    for (const { run_id: id } of part.unread) this.#ids.add(id)
    return [...part.read, ...found.filter((run) => run !== undefined)]
  }

  async #readPart(rows: readonly RunRow[], reader: RunReader) {
    const reached = this.#reached
    // Newest first, and ids go by time.
    const from = rows.find(({ run_id: id }) => reached !== undefined && id < reached) ?? rows[0]
    if (!from) return { read: [], gone: [], unread: [] }
    const read = await reader.list({ from, limit: MOST_LISTED })
    const last = read.length < MOST_LISTED ? '' : (read.at(-1)?.run_id ?? '')
    this.#reached = last
    const found = new Set(read.map(({ run_id: id }) => id))
    const isWithin = ({ run_id: id }: RunRow): boolean => id <= from.run_id && id >= last
    return {
      read,
      gone: rows.filter((run) => isWithin(run) && !found.has(run.run_id)),
      unread: rows.filter((run) => !isWithin(run)),
    }
  }
}

/** A run that has ended does not change any more. */
function isUnended({ status }: RunRow): boolean {
  return !isFinal(status)
}
