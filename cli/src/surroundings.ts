/** Where a command writes. */
export interface Output {
  /** Bytes are UTF-8. */
  write(text: string | Uint8Array): void
  readonly isTerminal: boolean
  /** Width in characters; 80 where it is not known. */
  readonly columns: number
}

/** The world as a command sees it; main.ts takes it from the process, tests hand in their own. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly out: Output
  readonly err: Output
  /** Whether a person types at the other end of the standard input. */
  readonly stdinIsTerminal: boolean
  /** One line that a person types; empty where they type none, or end the input. */
  readLine(): Promise<string>
  /** The standard input as it comes. */
  stdin(): AsyncIterable<Uint8Array>
  /** All of the standard input. */
  readStdin(): Promise<string>
  /** Ctrl-C or SIGTERM, counted from 1. The listener decides what the signal means; without a listener the signal ends the process. */
  onInterrupt(listener: (count: number) => void): Disposable
}
