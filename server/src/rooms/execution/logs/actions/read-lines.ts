import type { LogQuery } from '@signalbox/contracts/logs'
import type { Kit } from '#platform/room'
import type { AttemptRow } from '#rooms/execution/runs'
import { logProblem } from '../errors.ts'
import { findLines, type Wanted } from '../rules/find-lines.ts'
import { readLine, type StoredLine } from '../rules/line-index.ts'
import { findHeads, type Missing } from '../store/chunks.ts'
import { type Block, type Hide, readBlocks } from './read-blocks.ts'

/** A line, or the mark of lines that are missing. */
export interface Line {
  readonly attempt: AttemptRow
  readonly number: number
  readonly text: string
  readonly stream: string
  readonly at: Date
  readonly continued: boolean
  readonly gap: Gap | undefined
}

/** `lines` is null where nobody knows how many. */
export interface Gap {
  readonly lines: number | null
  readonly why: Missing | 'runner_lost'
}

export interface LinePage {
  readonly lines: readonly Line[]
  /** Where the next page begins: `<attempt id>:<line>`; backward the line behind its last. */
  readonly next: string | undefined
}

const DEFAULT_LIMIT = 1000
/** Characters of one page: 10,000 lines may be of 64 KiB each, and a page is held whole while it is written out. */
const MAX_CHARACTERS = 8 * 1024 * 1024
/** A search says what it has found by then, and where it goes on. */
const BUDGET_MS = 1500
/** So long nothing else of the process waits for a search. */
const BREATH_MS = 10
/** Each line of a row that does not unpack: lines keep their numbers. */
const UNREADABLE: StoredLine = { atMs: 0, stream: 'system', text: '(this line cannot be read)', continued: false }

/** The lines of a block that are wanted, in order; missing ones as one mark. */
export function linesOf(attempt: AttemptRow, block: Block): Line[] {
  const { from, before, missing } = block
  if (missing) return from < before ? [gapAt(attempt, from, { lines: before - from, why: missing })] : []
  const lines: Line[] = []
  for (let number = from; number < before; number++) lines.push(lineAt(attempt, block, number - block.firstLine))
  return lines
}

/** The mark at the end of a log whose runner fell silent: what it had not sent is gone, and nobody knows how much. */
export function endGap(attempt: AttemptRow, nextLine: number): Line | undefined {
  const mayHaveSpoken = attempt.startedAt !== null || nextLine > 0
  if (attempt.status !== 'lost' || attempt.endReported || !mayHaveSpoken) return undefined
  return gapAt(attempt, nextLine, { lines: null, why: 'runner_lost' })
}

/** The lines that are answered, and the values hidden in them. */
export interface Filter {
  readonly wanted: Wanted | undefined
  readonly hide: Hide
}

/** One page of the lines of these attempts, attempt after attempt in the order in which they were made. */
export async function readLines(
  kit: Kit,
  attempts: readonly AttemptRow[],
  query: LogQuery,
  { wanted, hide }: Filter,
): Promise<LinePage> {
  const db = kit.database.kysely
  const backward = query.tail !== undefined || query.direction === 'backward'
  const page = new Page(kit, query, wanted, backward)
  const heads = await findHeads(
    db,
    attempts.map(({ id }) => id),
  )
  const [startId, startLine] = query.cursor?.split(':') ?? []
  for (const attempt of backward ? attempts.toReversed() : attempts) {
    if (startId !== undefined && (backward ? attempt.id > startId : attempt.id < startId)) continue
    const border = attempt.id === startId ? Number(startLine) : undefined
    const from = Math.max(query.from ?? 0, backward ? 0 : (border ?? 0))
    const before = backward ? border : undefined
    const nextLine = heads.get(attempt.id)?.nextLine ?? 0
    const last = nextLine >= from && (before === undefined || before > nextLine) ? endGap(attempt, nextLine) : undefined
    if (backward && last && !page.add(last)) return page.close()
    const isRead = nextLine <= from || (await page.read(attempt, { from, before }, hide))
    if (!isRead || (!backward && last && !page.add(last))) return page.close()
  }
  return page.close()
}

interface Within {
  readonly from: number
  readonly before: number | undefined
}

/** Fills one page and knows when it is full. */
class Page {
  readonly #kit: Kit
  readonly #query: LogQuery
  readonly #wanted: Wanted | undefined
  readonly #backward: boolean
  readonly #limit: number
  readonly #lines: Line[] = []
  /** Of many lines it wants few: the time is limited, not the lines that are looked at. */
  readonly #isSearch: boolean
  readonly #bits: readonly number[]
  #deadline: number | undefined
  #breath = 0
  #characters = 0
  #next: string | undefined

  constructor(kit: Kit, query: LogQuery, wanted: Wanted | undefined, backward: boolean) {
    this.#kit = kit
    this.#query = query
    this.#wanted = wanted
    this.#backward = backward
    this.#limit = query.tail ?? query.limit ?? DEFAULT_LIMIT
    this.#isSearch = wanted !== undefined || query.stream !== undefined
    this.#bits = wanted?.bits ?? []
  }

  /** Takes a line; false when the page is full. */
  add(line: Line): boolean {
    if (line.gap ? this.#wanted : this.#query.stream !== undefined && line.stream !== this.#query.stream) return true
    if (this.#lines.length >= this.#limit || this.#characters >= MAX_CHARACTERS) {
      this.#endAt(line.attempt, line.number + (this.#backward ? lengthOf(line) : 0))
      return false
    }
    this.#lines.push(line)
    this.#characters += line.text.length
    // Whether there is a further hit may take long to find out: who wants it asks again.
    if (!this.#isSearch || this.#lines.length < this.#limit) return true
    this.#endAt(line.attempt, line.number + (this.#backward ? 0 : 1))
    return false
  }

  /** Reads one log; false when the page is full or the time is up. */
  async read(attempt: AttemptRow, { from, before }: Within, hide: Hide): Promise<boolean> {
    const range = { attemptId: attempt.id, from, backward: this.#backward, ahead: this.#isSearch, bits: this.#bits }
    const blocks = readBlocks(this.#kit.database.kysely, before === undefined ? range : { ...range, before }, hide)
    for await (const block of blocks) {
      if (this.#isSearch && !(await this.#breathe())) {
        this.#endAt(attempt, this.#backward ? block.before : block.from)
        return false
      }
      if (this.#wanted) {
        if (!(await this.#search(attempt, block, this.#wanted))) return false
      } else {
        const lines = linesOf(attempt, block)
        for (const line of this.#backward ? lines.toReversed() : lines) if (!this.add(line)) return false
      }
    }
    return true
  }

  close(): LinePage {
    return { lines: this.#query.tail === undefined ? this.#lines : this.#lines.toReversed(), next: this.#next }
  }

  async #search(attempt: AttemptRow, block: Block, wanted: Wanted): Promise<boolean> {
    const { lines, firstLine } = block
    if (!lines) return true
    const range = { first: block.from - firstLine, end: block.before - firstLine, backward: this.#backward }
    const { clock } = this.#kit
    for (const { line, isWanted } of findLines(lines, wanted, range, () => clock.monotonic())) {
      if (isWanted === undefined) throw tooSlow(attempt, firstLine + line)
      if (isWanted) {
        if (!this.add(lineAt(attempt, block, line))) return false
      } else if (!(await this.#breathe())) {
        this.#endAt(attempt, firstLine + line + (this.#backward ? 0 : 1))
        return false
      }
    }
    return true
  }

  /** Lets others have their turn; false when the time is up. */
  async #breathe(): Promise<boolean> {
    const { clock } = this.#kit
    const now = clock.monotonic()
    // From the first lines on: however slow the database, each page comes further than the one before.
    this.#deadline ??= now + BUDGET_MS
    if (now > this.#deadline) return false
    if (now - this.#breath > BREATH_MS) {
      await new Promise<void>((resolve) => clock.nextTurn(resolve))
      this.#breath = clock.monotonic()
    }
    return true
  }

  #endAt(attempt: AttemptRow, line: number): void {
    this.#next = `${attempt.id}:${line}`
  }
}

/** A slow line is refused and not skipped, because the reader may be looking for that line. */
function tooSlow({ step, task, number }: AttemptRow, line: number): Error {
  const where = `line ${line} of ${step}/${task}, attempt ${number}`
  const detail = `The expression takes too long for ${where}. Search for a text, repeat less, or begin behind that line.`
  return logProblem('log.expression_invalid', detail)
}

/** The n-th line of the row that a block lies in. */
export function lineAt(attempt: AttemptRow, block: Block, n: number): Line {
  const { lines, firstLine } = block
  const { atMs, ...line } = lines?.index ? readLine(lines.bytes, lines.index, n) : UNREADABLE
  return { attempt, number: firstLine + n, ...line, at: new Date(atMs), gap: undefined }
}

function gapAt(attempt: AttemptRow, number: number, gap: Gap): Line {
  const at = attempt.finishedAt ?? attempt.startedAt ?? attempt.createdAt
  return { attempt, number, text: describeGap(gap), stream: 'gap', at, continued: false, gap }
}

function describeGap({ lines, why }: Gap): string {
  const count = lines === null ? 'Lines are' : lines === 1 ? '1 line is' : `${lines} lines are`
  switch (why) {
    case 'lost':
      return `${count} missing here: the runner had lost them.`
    case 'runner_lost':
      return `${count} missing here: the runner was lost with what it had not sent, if anything.`
    case 'limit':
      return `${count} missing here: the log is longer than the control plane keeps.`
    case 'scrubbed':
      return `${count} missing here: they came when values that they might hold were scrubbed and forgotten already.`
    case 'dropped':
      return `${count} missing here: they were older than logs are kept.`
    default:
      return why satisfies never
  }
}

/** How many numbers a line or a mark takes. */
function lengthOf(line: Line): number {
  return line.gap ? (line.gap.lines ?? 1) : 1
}
