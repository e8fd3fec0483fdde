import { logRoutes } from '@signalbox/contracts/logs/routes'
import { call } from '../../client/index.ts'
import { foldEndOf } from './fold-end.ts'
import { LineCache, PAGE_LINES, pageOf } from './line-cache.ts'
import { type AttemptKey, type LogEntry, sectionOf } from './log-entry.ts'
import { readLines } from './read-lines.ts'
import { type Hidden, hide, Rows } from './rows.ts'

/** An attempt whose lines are a section of the log. */
export interface AttemptOfLog extends AttemptKey {
  readonly status: string
  readonly hasBegun: boolean
}

interface SectionState {
  readonly attempt: AttemptOfLog
  isOpen: boolean
  total: number | undefined
  /** Lines that are missing, and folds that are closed by their first line. */
  missing: readonly Hidden[]
  readonly closed: Map<number, Hidden>
}

const MOST_REQUESTS = 3
/** Pages that wait to be read: who scrolls past them needs them no more. */
const MOST_WAITING = 6
const AGAIN_MS = 1000

/** The sections of a log and the lines that were read of them; reads what is looked at, and no more. */
export class LogStore {
  readonly #runId: string
  readonly #counted: () => void
  readonly #sections = new Map<string, SectionState>()
  readonly #cache = new LineCache()
  readonly #listeners = new Set<() => void>()
  readonly #reading = new Set<string>()
  readonly #counting = new Map<string, Promise<void>>()
  #waiting: (readonly [key: string, page: number])[] = []
  #rows: Rows | undefined
  #version = 0
  #isDrawing = false

  /** `counted` is called when the rows have changed. */
  constructor(runId: string, counted: () => void) {
    this.#runId = runId
    this.#counted = counted
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Changes with everything that is shown. */
  readonly version = (): number => this.#version

  get rows(): Rows {
    this.#rows ??= new Rows(
      [...this.#sections].map(([key, section]) => ({
        key,
        isOpen: section.isOpen,
        total: section.total ?? 0,
        hidden: section.closed.values().reduce((hidden, fold) => hide(hidden, fold), section.missing),
      })),
    )
    return this.#rows
  }

  /** Lines that are held in memory. */
  get kept(): number {
    return this.#cache.size
  }

  sectionAt(key: string): Readonly<Pick<SectionState, 'attempt' | 'isOpen' | 'total'>> | undefined {
    return this.#sections.get(key)
  }

  /** The attempts in their order; `opens` says which new sections begin open. */
  setAttempts(attempts: readonly AttemptOfLog[], opens: (attempt: AttemptOfLog) => boolean): void {
    for (const attempt of attempts) {
      const key = sectionOf(attempt)
      const known = this.#sections.get(key)
      const isOpen = known?.isOpen ?? opens(attempt)
      const fresh = { missing: [], closed: new Map<number, Hidden>(), total: undefined }
      this.#sections.set(key, { ...(known ?? fresh), attempt, isOpen })
      if (isOpen && known?.total === undefined) void this.#count(key)
    }
    this.#changed()
  }

  /** Shows or hides the lines of a section; resolves when it is known how many there are. */
  async open(key: string, isOpen: boolean): Promise<void> {
    const section = this.#sections.get(key)
    if (!section) return
    section.isOpen = isOpen
    this.#changed()
    if (isOpen && section.total === undefined) await this.#count(key)
  }

  lineAt(key: string, number: number): LogEntry | undefined {
    const entry = this.#cache.get(key, number)
    if (!entry) this.#want(key, pageOf(number))
    return entry
  }

  /** Whether the fold that begins at this line is closed. */
  isClosed(key: string, number: number): boolean {
    return this.#sections.get(key)?.closed.has(number) ?? false
  }

  /** Closes the fold that begins at this line, or opens it again. The server finds the end of a fold. */
  async toggleFold(key: string, number: number): Promise<void> {
    const section = this.#sections.get(key)
    if (!section) return
    if (!section.closed.delete(number)) {
      const { step, task, attempt } = section.attempt
      const regex = foldEndOf(this.#cache.get(key, number)?.line ?? '')
      const query = { step, task, attempt, from: number + 1, regex, limit: 1 }
      let end: LogEntry | undefined
      try {
        ;[end] = await call(logRoutes.listLogLines, { params: { id: this.#runId }, query })
      } catch {
        // It stays open: nobody knows its end. Pressed again, it is asked for again.
        return
      }
      const to = end?.number ?? (section.total ?? 0) - 1
      if (to > number) section.closed.set(number, { from: number + 1, to })
    }
    this.#changed()
  }

  /** Opens what hides a line; resolves when the line has a row. */
  async reveal(key: string, number: number): Promise<number | undefined> {
    await this.open(key, true)
    const section = this.#sections.get(key)
    for (const [start, { from, to }] of section?.closed ?? []) {
      if (number >= from && number <= to) section?.closed.delete(start)
    }
    this.#changed()
    return this.rows.of(key, number)
  }

  /** A line that came by the stream. Answers whether it is a new one, and of a known attempt. */
  add(entry: LogEntry): { readonly isNew: boolean; readonly isKnown: boolean } {
    const key = sectionOf(entry)
    const section = this.#sections.get(key)
    if (!section) return { isNew: false, isKnown: false }
    const isNew = entry.number >= (section.total ?? 0)
    this.#take(key, section, entry)
    return { isNew: isNew && section.isOpen, isKnown: true }
  }

  /** Keeps a line that was read elsewhere. Of a section that was not counted yet, nothing follows from it. */
  keep(entry: LogEntry): void {
    const key = sectionOf(entry)
    const section = this.#sections.get(key)
    if (section?.total !== undefined) this.#take(key, section, entry)
  }

  /** After a gap of the stream: what was stored meanwhile is counted. */
  async countAgain(): Promise<void> {
    const open = [...this.#sections].filter(([, section]) => section.isOpen)
    await Promise.all(
      open.map(async ([key]) => {
        // What is being counted already may have been answered before the gap ended.
        await this.#counting.get(key)
        await this.#count(key)
      }),
    )
  }

  /** Draws again, with rows as they are. */
  redraw(): void {
    if (this.#isDrawing) return
    this.#isDrawing = true
    requestAnimationFrame(() => {
      this.#isDrawing = false
      this.#counted()
      this.#version += 1
      for (const listener of this.#listeners) listener()
    })
  }

  /** Reads no more until somebody looks at a line again. */
  rest(): void {
    this.#waiting = []
  }

  #count(key: string): Promise<void> {
    const running = this.#counting.get(key)
    if (running) return running
    const counting = this.#readEnd(key).finally(() => this.#counting.delete(key))
    this.#counting.set(key, counting)
    return counting
  }

  /** Asks until there is an answer: who waits for the count is to be shown a line. */
  async #readEnd(key: string): Promise<void> {
    const section = this.#sections.get(key)
    if (!section?.attempt.hasBegun) return
    const { step, task, attempt } = section.attempt
    const query = { step, task, attempt, tail: 50 }
    let entries: readonly LogEntry[] | undefined
    while (entries === undefined) {
      try {
        entries = await call(logRoutes.listLogLines, { params: { id: this.#runId }, query })
      } catch {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      }
    }
    // The section may have been told anew meanwhile.
    const current = this.#sections.get(key)
    if (!current) return
    current.total ??= 0
    for (const entry of entries) this.#take(key, current, entry)
    this.#changed()
  }

  #take(key: string, section: SectionState, entry: LogEntry): void {
    const lines = entry.gap?.lines ?? 1
    section.total = Math.max(section.total ?? 0, entry.number + lines)
    if (lines > 1) section.missing = hide(section.missing, { from: entry.number + 1, to: entry.number + lines - 1 })
    // Each line came with names of its own: a follower would keep thousands of each.
    const { step, task } = section.attempt
    this.#cache.put(key, { ...entry, step, task })
    this.#changed()
  }

  #want(key: string, page: number): void {
    const name = `${key} ${page}`
    if (this.#reading.has(name) || this.#waiting.some(([k, p]) => k === key && p === page)) return
    this.#waiting = [...this.#waiting, [key, page] as const].slice(-MOST_WAITING)
    this.#readNext()
  }

  /** The page that was wanted last comes first: it is the one on the screen. */
  #readNext(): void {
    if (this.#reading.size >= MOST_REQUESTS) return
    const next = this.#waiting.pop()
    if (!next) return
    const [key, page] = next
    const name = `${key} ${page}`
    this.#reading.add(name)
    void this.#readPage(key, page)
      .then(() => this.#reading.delete(name))
      .catch(() => this.#later(() => this.#reading.delete(name)))
      .finally(() => {
        this.#changed()
        this.#readNext()
      })
  }

  async #readPage(key: string, page: number): Promise<void> {
    const section = this.#sections.get(key)
    if (!section) return
    const from = page * PAGE_LINES
    for await (const entries of readLines(this.#runId, section.attempt, from, from + PAGE_LINES)) {
      const current = this.#sections.get(key)
      if (!current) return
      for (const entry of entries) this.#take(key, current, entry)
    }
  }

  #later(work: () => void): void {
    setTimeout(() => {
      work()
      this.#changed()
    }, AGAIN_MS)
  }

  /** However many lines come, the view is drawn once a frame. */
  #changed(): void {
    this.#rows = undefined
    this.redraw()
  }
}
