import { showInvisible } from '../../components/index.ts'
import { plainText } from './ansi.ts'
import { firstFailure, opensAtFirst, type Which } from './attempts.ts'
import { followLog } from './follow-log.ts'
import { type LineRange, type LogEntry, sectionOf } from './log-entry.ts'
import { type AttemptOfLog, LogStore } from './log-store.ts'
import { LogWindow, type Place } from './log-window.ts'
import { readLines } from './read-lines.ts'
import type { Rows } from './rows.ts'

/** At most so many lines go into the clipboard at once. */
export const MOST_COPIED = 10_000

/** One open log: its lines, the window on them, and what follows it. */
export class LogSession {
  readonly store: LogStore
  readonly window: LogWindow
  readonly #runId: string
  /** The rows as the window knows them. */
  #rows: Rows | undefined

  constructor(runId: string) {
    this.#runId = runId
    this.store = new LogStore(runId, () => this.#count())
    this.window = new LogWindow(() => this.store.redraw())
  }

  /** Opens at the lines of the address, else at the first failure, else at the end. */
  async begin(attempts: readonly AttemptOfLog[], chosen: LineRange | undefined): Promise<void> {
    const open = opensAtFirst(attempts)
    this.store.setAttempts(attempts, (each) => open.has(sectionOf(each)))
    const failure = firstFailure(attempts)
    if (chosen && this.store.sectionAt(chosen.section)) return this.go(chosen.section, chosen.first)
    if (!failure) return this.window.follow(true)
    const section = sectionOf(failure)
    await this.store.open(section, true)
    return this.go(section, (this.store.sectionAt(section)?.total ?? 1) - 1, 'end')
  }

  /**
   * Follows new lines; `onChange` hears that the run is another one than it was: lines of an unknown attempt come, or the
   * stream broke. Answers how to stop.
   */
  follow(which: Which, onChange: () => void): () => void {
    return followLog(this.#runId, which, {
      line: (entry) => {
        const { isNew, isKnown } = this.store.add(entry)
        if (isNew) this.window.lineCame()
        if (!isKnown) onChange()
      },
      ready: () => void this.store.countAgain(),
      broke: onChange,
      ended: () => void this.store.countAgain(),
    })
  }

  async go(section: string, number: number, align: Place['align'] = 'center'): Promise<void> {
    this.window.follow(false)
    const row = await this.store.reveal(section, number)
    this.#count()
    if (row !== undefined) this.window.show({ row, align })
  }

  /** Lines of a section above do not move what is looked at. */
  #count(): void {
    const { rows } = this.store
    const { anchor } = this.window
    const shown = anchor === undefined ? undefined : this.#rows?.at(anchor)
    this.#rows = rows
    const now = shown && (shown.kind === 'line' ? rows.of(shown.section, shown.number) : undefined)
    const row = now ?? (shown && rows.headOf(shown.section))
    this.window.setCount(rows.count, anchor === undefined || row === undefined ? 0 : row - anchor)
  }

  /** Goes to a line that was read already: it is shown before the lines around it are. */
  async goTo(entry: LogEntry): Promise<void> {
    this.store.keep(entry)
    return this.go(sectionOf(entry), entry.number)
  }

  goToTop(): void {
    this.window.follow(false)
    this.window.show({ row: 0, align: 'start' })
  }

  /** Goes to lines that are not on the screen, such as those of a link that was pasted. */
  async reveal({ section, first }: LineRange): Promise<void> {
    const row = this.store.rows.of(section, first)
    if (row === undefined || !this.window.isInSight(row)) await this.go(section, first)
  }

  /** The lines as text, as they are drawn. */
  async read({ section, first, last }: LineRange): Promise<string> {
    const [, step = '', task = '', attempt = ''] = /^([^/]*)\/(.*)\/(\d+)$/.exec(section) ?? []
    const key = { step, task, attempt: Number(attempt) }
    const lines: string[] = []
    for await (const some of readLines(this.#runId, key, first, Math.min(last + 1, first + MOST_COPIED))) {
      lines.push(...some.map(({ line }) => showInvisible(plainText(line))))
    }
    return lines.join('\n')
  }
}
