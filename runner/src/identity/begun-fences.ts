import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { isFullDisk, systemCode } from '../errors.ts'
import { replaceFile } from '../replace-file.ts'

// The file is rewritten when it has so many lines more than fences are left.
const SLACK = 1000
// Far more than a runner has in hand: the control plane is done with older ones.
const MOST = 2000

/**
 * A file with the fences of tasks that may have begun. A runner that was killed names them to the control plane when it
 * comes back. Otherwise the control plane would believe that a silent attempt never reached the runner, and give it out
 * again. Each fence is written before its task begins. The file is not synced: it outlives the process, and only the
 * process can be killed.
 */
export class BegunFences implements Disposable {
  readonly #path: string
  readonly #fences: Set<bigint>
  #file: number
  #written: number

  constructor(path: string) {
    this.#path = path
    this.#fences = new Set(readFences(path))
    this.#written = this.#fences.size
    this.#file = openSync(path, 'a', 0o600)
  }

  /** Before the task begins. On a full disk only this process knows of it. */
  add(fence: bigint): void {
    if (this.#fences.has(fence)) return
    this.#write(fence)
    this.#fences.add(fence)
    const [oldest] = this.#fences
    if (this.#fences.size > MOST && oldest !== undefined) this.forget(oldest)
  }

  /** The control plane knows how it ended. */
  forget(fence: bigint): void {
    this.#fences.delete(fence)
    if (this.#written > this.#fences.size + SLACK) this.#rewrite()
  }

  list(): bigint[] {
    return [...this.#fences]
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #write(fence: bigint): void {
    try {
      writeSync(this.#file, `${fence}\n`)
      this.#written++
    } catch (error) {
      if (!isFullDisk(error)) throw error
    }
  }

  #rewrite(): void {
    try {
      replaceFile(this.#path, [...this.#fences].map((fence) => `${fence}\n`).join(''), 0o600)
      closeSync(this.#file)
      this.#file = openSync(this.#path, 'a', 0o600)
      this.#written = this.#fences.size
    } catch (error) {
      if (!isFullDisk(error)) throw error
      // Tried again with the next ones.
    }
  }
}

/** A last line that is not whole was being written when the runner was killed: its task had not begun. */
function readFences(path: string): bigint[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
    return lines.filter((line) => /^\d{1,20}$/.test(line)).map(BigInt)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}
