import { setTimeout as wait } from 'node:timers/promises'
import { type Client, segment } from '../client/client.ts'
import { logBlock, logPlace } from '../client/log-answers.ts'
import { ApiProblem, Unreachable } from '../client/problem.ts'

/** A part of a log as it came: one entry, or many plain lines of one attempt, each with its line end. */
export type LogPart =
  | { readonly kind: 'entry'; readonly entry: unknown }
  | { readonly kind: 'lines'; readonly step: string; readonly task: string; readonly text: string }

/** Which lines, in the words of the API. */
export interface StoredChoice {
  readonly step?: string
  readonly task?: string
  readonly attempt?: string
  readonly search?: string
  readonly regex?: string
  readonly stream?: string
}

const TRIES = 5
const FIRST_PAUSE_MS = 250
const LINE_END = 0x0a

export function downloadPath(id: string, choice: StoredChoice, format: 'text' | 'ndjson' | 'blocks'): string {
  const query = new URLSearchParams(format === 'text' ? {} : { format })
  const { step, task, attempt, search, regex, stream } = choice
  for (const [name, value] of Object.entries({ step, task, attempt, search, regex, stream })) {
    if (value !== undefined) query.set(name, value)
  }
  return `/v1/runs/${segment(id)}/logs/download?${query}`
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
export async function readStoredLog(client: Client, path: string, take: (part: LogPart) => void): Promise<void> {
  const known = new Map<string, number>()
  await patiently(async () => {
    const { body } = await client.bytes(path, 0)
    if (!body) return
    const parser = new Parser((part) => {
      const fresh = freshPart(part, known)
      if (fresh) take(fresh)
    })
    for await (const bytes of body) parser.push(bytes)
  })
}

type ParsedPart =
  | { readonly kind: 'entry'; readonly entry: unknown }
  | { readonly kind: 'lines'; readonly head: ReturnType<typeof logBlock>; readonly bytes: Buffer }

/** What of a part has not come before; `known` is the line behind the last one that came, by attempt. */
function freshPart(part: ParsedPart, known: Map<string, number>): LogPart | undefined {
  const { step, task, attempt, number, gap } =
    part.kind === 'lines' ? { ...part.head, gap: null } : logPlace(part.entry, 'line')
  const key = JSON.stringify([step, task, attempt])
  const before = known.get(key) ?? 0
  const next = number + (part.kind === 'lines' ? part.head.lines : (gap?.lines ?? 1))
  if (next <= before) return undefined
  known.set(key, next)
  if (part.kind === 'entry') return part
  let start = 0
  for (let line = number; line < before; line += 1) start = part.bytes.indexOf(LINE_END, start) + 1
  return { kind: 'lines', step, task, text: part.bytes.toString('utf8', start) }
}

/** Cuts what comes into entries and blocks. What a broken connection leaves of one is dropped. */
class Parser {
  readonly #take: (part: ParsedPart) => void
  #chunks: Uint8Array[] = []
  #length = 0
  /** So many bytes are needed before there is anything to cut: those of a block whose head has come. */
  #head: ReturnType<typeof logBlock> | undefined

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

  /** Takes what is whole; answers where the rest begins. */
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
    if (typeof document === 'object' && document !== null) {
      if ('problem' in document) throw problemOf(document.problem)
      if ('bytes' in document) {
        this.#head = logBlock(document, 'block')
        return
      }
    }
    this.#take({ kind: 'entry', entry: document })
  }
}

function problemOf(document: unknown): ApiProblem {
  const hasStatus = typeof document === 'object' && document !== null && 'status' in document
  return new ApiProblem(hasStatus && typeof document.status === 'number' ? document.status : 500, document)
}
