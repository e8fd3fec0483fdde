import { logRoutes } from '@signalbox/contracts/logs/routes'
import { call } from '../../client/index.ts'
import { copyText, showInvisible } from '../../components/index.ts'
import { plainText } from './ansi.ts'
import { firstFailure, opensAtFirst, type Which } from './attempts.ts'
import { followLog } from './follow-log.ts'
import { type LineRange, sectionOf } from './log-entry.ts'
import { type AttemptOfLog, LogStore } from './log-store.ts'
import { LogWindow, type Place } from './log-window.ts'

/** At most so many lines go into the clipboard at once. */
const MOST_COPIED = 10_000

/** One open log: its lines, the window on them, and what follows it. */
export class LogSession {
  readonly store: LogStore
  readonly window: LogWindow
  readonly #runId: string

  constructor(runId: string) {
    this.#runId = runId
    this.store = new LogStore(runId, () => this.window.setCount(this.store.rows.count))
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

  /** Follows new lines; `onNewAttempt` hears of lines of an attempt that is not known yet. Answers how to stop. */
  follow(which: Which, onNewAttempt: () => void): () => void {
    return followLog(this.#runId, which, {
      line: (entry) => {
        const { isNew, isKnown } = this.store.add(entry)
        if (isNew) this.window.lineCame()
        if (!isKnown) onNewAttempt()
      },
      opened: () => void this.store.countAgain(),
      ended: () => void this.store.countAgain(),
    })
  }

  async go(section: string, number: number, align: Place['align'] = 'center'): Promise<void> {
    this.window.follow(false)
    const row = await this.store.reveal(section, number)
    this.window.setCount(this.store.rows.count)
    if (row !== undefined) this.window.show({ row, align })
  }

  async copy({ section, first, last }: LineRange): Promise<void> {
    const [, step = '', task = '', attempt = ''] = /^([^/]*)\/(.*)\/(\d+)$/.exec(section) ?? []
    const limit = Math.min(last - first + 1, MOST_COPIED)
    const query = { step, task, attempt: Number(attempt), from: first, limit }
    const lines = await call(logRoutes.listLogLines, { params: { id: this.#runId }, query })
    await copyText(lines.map(({ line }) => showInvisible(plainText(line))).join('\n'))
  }
}
