import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SIGNALBOX } from '../processes/programs.ts'

/** The command as a child process. */
export interface Started {
  readonly process: ChildProcess
  readonly ended: Promise<{ code: number | null; out: string; err: string }>
  /** Resolves with the first match in the output; rejects when the program ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
}

export const FREE = ['--port', '0', '--runner-port', '0', '--no-page']

/** A folder through which the accounts of the database and of tasks pass. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Starts the command in a folder, as a person does. */
export function startSignalbox(folder: string, ...args: readonly string[]): Started {
  const child = spawn(process.execPath, [SIGNALBOX, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    child.emit('printed')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]: unknown[]) => ({
    code: typeof code === 'number' ? code : null,
    out,
    err,
  }))
  return {
    process: child,
    ended,
    async printed(pattern) {
      for (;;) {
        const match = pattern.exec(out)
        if (match) return match
        const over = await Promise.race([once(child, 'printed').then(() => undefined), ended])
        if (over) assert.match(over.out, pattern, over.err)
      }
    },
  }
}

export interface Address {
  readonly pid: number
  readonly url: string
}

/** Waits until the address file of a data folder's control plane is as it should be; looks whenever the folder changes. */
export async function addressWhere(
  dataDir: string,
  good: (found: Address | undefined) => boolean,
): Promise<Address | undefined> {
  const watcher = watch(dataDir)
  try {
    for (;;) {
      const found = readAddress(dataDir)
      if (good(found)) return found
      await once(watcher, 'change')
    }
  } finally {
    watcher.close()
  }
}

function readAddress(dataDir: string): Address | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'address.json'), 'utf8'))
  } catch {
    return undefined
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
