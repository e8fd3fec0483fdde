import { setTimeout as wait } from 'node:timers/promises'
import type { LogBlock, LogDownloadQuery, LogEntry } from '@signalbox/contracts/logs'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import type { Client } from '../client/client.ts'
import type { RequestOf } from '../client/operations.ts'
import { ApiProblem, Unreachable } from '../client/problem.ts'
import { AnswerNotUnderstood } from '../client/shape.ts'
import { isLogBlock, isLogEntry } from './log-entry.ts'

/** A part of a log as it came: one entry, or many plain lines of one attempt, each with its line end. */
export type LogPart =
  | { readonly kind: 'entry'; readonly entry: LogEntry }
  | { readonly kind: 'lines'; readonly step: string; readonly task: string; readonly text: Buffer }

/** The choice of lines, in the words of the API. */
export type StoredChoice = Pick<LogDownloadQuery, 'step' | 'task' | 'attempt' | 'search' | 'regex' | 'stream'>

/** A log, or what of it is chosen, in one form. */
export type StoredLog = RequestOf<typeof logRoutes.downloadLogs>

const TRIES = 5
const FIRST_PAUSE_MS = 250
const LINE_END = 0x0a

export function storedLog(id: string, choice: StoredChoice, format: LogDownloadQuery['format']): StoredLog {
  const { step, task, attempt, search, regex, stream } = choice
  return { params: { id }, query: { format, step, task, attempt, search, regex, stream } }
}

/** Tries again what broke off while it was read, a few times. */
export async function patiently(read: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      if (!mayGoOn(error) || tries === TRIES) throw error
      await wait(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
}

/** A connection that breaks off while it is read is a TypeError of fetch. */
function mayGoOn(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof TypeError
}

/** All of it in one answer. An answer that breaks off goes on behind the lines that came, each of which is taken once. */
export async function readStoredLog(client: Client, log: StoredLog, take: (part: LogPart) => void): Promise<void> {
  const known = new Map<string, number>()
  await patiently(async () => {
    const { body } = await client.bytes(logRoutes.downloadLogs, log)
    if (!body) return
    const parser = new Parser((part) => {
      const fresh = freshPart(part, known)
      if (fresh) take(fresh)
    })
    for await (const bytes of body) parser.push(bytes)
  })
}

type ParsedPart =
  | { readonly kind: 'entry'; readonly entry: LogEntry }
  | { readonly kind: 'lines'; readonly head: LogBlock; readonly bytes: Buffer }

/** The new lines of a part; `known` holds the number after the last known line, by attempt. */
function freshPart(part: ParsedPart, known: Map<string, number>): LogPart | undefined {
  const { step, task, attempt, number } = part.kind === 'lines' ? part.head : part.entry
  const key = JSON.stringify([step, task, attempt])
  const before = known.get(key) ?? 0
  const next = number + (part.kind === 'lines' ? part.head.lines : (part.entry.gap?.lines ?? 1))
  if (next <= before) return undefined
  known.set(key, next)
  if (part.kind === 'entry') return part
  let start = 0
  for (let line = number; line < before; line += 1) start = part.bytes.indexOf(LINE_END, start) + 1
  return { kind: 'lines', step, task, text: part.bytes.subarray(start) }
}

/** Cuts the incoming bytes into entries and blocks. A block that a broken connection cut is dropped. */
class Parser {
  readonly #take: (part: ParsedPart) => void
  #chunks: Uint8Array[] = []
  #length = 0
  /** The number of bytes needed before the next cut: the block's, once its head has come. */
  #head: LogBlock | undefined

  constructor(take: (part: ParsedPart) => void) {
    this.#take = take
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#length += bytes.length
    if (this.#head ? this.#length < this.#head.bytes : !bytes.includes(LINE_END)) return
    const all = Buffer.concat(this.#chunks)
    const rest = all.subarray(this.#cut(all))
    this.#chunks = [rest]
    this.#length = rest.length
  }

  /** Takes the whole entries and blocks; answers where the rest begins. */
  #cut(all: Buffer): number {
    for (let at = 0; ; ) {
      if (this.#head) {
        const end = at + this.#head.bytes
        if (end > all.length) return at
        this.#take({ kind: 'lines', head: this.#head, bytes: all.subarray(at, end) })
        this.#head = undefined
        at = end
      }
      const end = all.indexOf(LINE_END, at)
      if (end < 0) return at
      if (end > at) this.#read(JSON.parse(all.toString('utf8', at, end)))
      at = end + 1
    }
  }

  #read(document: unknown): void {
    if (typeof document === 'object' && document !== null && 'problem' in document) throw problemOf(document.problem)
    if (isLogBlock(document)) this.#head = document
    else if (isLogEntry(document)) this.#take({ kind: 'entry', entry: document })
    else throw new AnswerNotUnderstood('a line is not an entry of a log')
  }
}

function problemOf(document: unknown): ApiProblem {
  const hasStatus = typeof document === 'object' && document !== null && 'status' in document
  return new ApiProblem(hasStatus && typeof document.status === 'number' ? document.status : 500, document)
}
