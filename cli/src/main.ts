import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { messageOf } from './errors.ts'
import { exitCode } from './exit-codes.ts'
import { run } from './run.ts'
import type { Output, Surroundings } from './surroundings.ts'

const SAME_KEY_MS = 200

/** Runs the command line of this process and sets its exit code. */
export async function main(): Promise<void> {
  const surroundings = surroundingsOfProcess()
  trustOwnAuthorities(surroundings)
  process.exitCode = await run(process.argv.slice(2), surroundings)
  // Idle connections to the API would hold the process for seconds.
  await drained(process.stdout)
  process.exit()
}

/** Trusts the authorities of SIGNALBOX_CA_FILE, beside the usual ones. */
function trustOwnAuthorities({ env, err }: Surroundings): void {
  const path = env['SIGNALBOX_CA_FILE']
  if (!path) return
  try {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(path, 'utf8')])
  } catch (error) {
    err.write(`error SIGNALBOX_CA_FILE cannot be used: ${messageOf(error)}.\n`)
    process.exit(exitCode('usage'))
  }
}

function surroundingsOfProcess(): Surroundings {
  return {
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    out: outputTo(process.stdout),
    err: outputTo(process.stderr),
    stdinIsTerminal: process.stdin.isTTY === true,
    readLine() {
      const lines = createInterface({ input: process.stdin })
      return new Promise<string>((resolve) => {
        lines.once('line', (line) => resolve(line)).once('close', () => resolve(''))
      }).finally(() => lines.close())
    },
    stdin: () => process.stdin,
    async readStdin() {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks).toString('utf8')
    },
    onInterrupt(listener) {
      let count = 0
      let last = Number.NEGATIVE_INFINITY
      const interrupted = (): void => {
        const now = performance.now()
        // One Ctrl-C arrives twice under npm: from the terminal, and handed on by npm.
        if (now - last > SAME_KEY_MS) listener((count += 1))
        last = now
      }
      // A parent that started us with a channel and dies takes us along.
      const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const
      for (const name of events) process.on(name, interrupted)
      return {
        [Symbol.dispose]() {
          for (const name of events) process.off(name, interrupted)
        },
      }
    },
  }
}

function outputTo(stream: NodeJS.WriteStream): Output {
  // `signalbox run list | head` closes the pipe early; that is no error.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns || 80
    },
  }
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
