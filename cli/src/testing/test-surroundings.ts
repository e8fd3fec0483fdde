import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../run.ts'
import type { Output, Surroundings } from '../surroundings.ts'

/** Bytes that are no UTF-8 would reach a terminal as they are: no command writes them. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface TestOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly terminal?: boolean
  /** The input of a person at a terminal. */
  readonly types?: string
}

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** A folder of one's own, and command lines run in it as `signalbox` would run them. */
export interface TestFolder extends Disposable {
  readonly path: string
  readonly surroundings: (options?: TestOptions) => Surroundings & { readonly text: { out: string; err: string } }
  run(args: readonly string[], options?: TestOptions): Promise<Ended>
}

export function makeTestFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-cli-'))
  const surroundings: TestFolder['surroundings'] = (options = {}) => {
    const text = { out: '', err: '' }
    const output = (name: 'out' | 'err'): Output => ({
      write(more) {
        text[name] += typeof more === 'string' ? more : UTF8.decode(more)
      },
      isTerminal: options.terminal === true,
      columns: 100,
    })
    return {
      text,
      env: { PATH: process.env['PATH'], ...options.env },
      cwd: path,
      home: path,
      out: output('out'),
      err: output('err'),
      stdinIsTerminal: options.types !== undefined,
      readLine: async () => options.types ?? '',
      stdin: () => new Blob([options.stdin ?? '']).stream(),
      readStdin: async () => options.stdin ?? '',
      onInterrupt: () => ({ [Symbol.dispose]: () => undefined }),
    }
  }
  return {
    path,
    surroundings,
    async run(args, options = {}) {
      const made = surroundings(options)
      const code = await run(args, made)
      return { code, ...made.text }
    },
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true })
    },
  }
}
