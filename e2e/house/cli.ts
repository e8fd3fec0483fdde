import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Api } from './api.ts'
import { surroundings } from './surroundings.ts'

const BIN = join(import.meta.dirname, '../../cli/bin/signalbox.mjs')

export interface Ended {
  readonly exit: number | null
  readonly output: string
}

/** Runs the command line with the token of `api`; answers its exit code and its output, errors too. */
export function runCli(api: Api, words: readonly string[]): Promise<Ended> {
  return runProgram(words, { SIGNALBOX_URL: api.url, SIGNALBOX_TOKEN: api.token })
}

/** Runs the program with this environment alone. */
export function runProgram(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...words], {
      env: { ...surroundings, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (exit) => resolve({ exit, output }))
  })
}
