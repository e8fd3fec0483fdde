import { spawn } from 'node:child_process'
import { flag, number, object, orNull, text } from '../client/shape.ts'
import { CommandFailed } from '../errors.ts'
import type { Surroundings } from '../surroundings.ts'
import { SERVER } from './programs.ts'
import { OPERATOR_ERROR } from './supervised.ts'

export const backupSummary = object({
  place: text,
  tables: number,
  rows: number,
  objects: number,
  bytes: orNull(number),
  missing_objects: number,
  has_key: flag,
})

/**
 * Has a server program save, restore or move what a server started here would stand on, and answers its summary. Ctrl-C
 * reaches that program too. Secrets go by its standard input.
 */
export async function workOnBackups(
  { env, cwd, err }: Surroundings,
  args: readonly string[],
  input = '',
): Promise<ReturnType<typeof backupSummary>> {
  const child = spawn(process.execPath, [SERVER, ...args], { cwd, env: { ...env }, stdio: 'pipe' })
  // A program that ends before it has read its input says why itself.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  let output = ''
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise<number | null>((settle, fail) => {
    child.on('error', fail)
    child.on('close', settle)
  })
  const [sentence = 'The server ended without a word.', ...log] = said.trim().split('\n').toReversed()
  if (code === 0) {
    err.write(said)
    return backupSummary(JSON.parse(output), 'summary')
  }
  if (code !== OPERATOR_ERROR)
    err.write(
      log
        .map((line) => `${line}\n`)
        .toReversed()
        .join(''),
    )
  throw new CommandFailed(code === OPERATOR_ERROR ? 'conflict' : 'unexpected', sentence.replace(/^signalbox: /, ''))
}
