import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Api } from './api.ts'
import { surroundings } from './surroundings.ts'

const BIN = join(import.meta.dirname, '../../cli/bin/signalbox.mjs')

/** Runs the command line with the token of `api`; answers its exit code and what it wrote, errors too. */
export function runCli(
  api: Api,
  words: readonly string[],
): Promise<{ readonly exit: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...words], {
      env: { ...surroundings, SIGNALBOX_URL: api.url, SIGNALBOX_TOKEN: api.token, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (exit) => resolve({ exit, output }))
  })
}
