import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DocumentProblem } from '@signalbox/contracts/pipelines'
import { CommandFailed, messageOf } from '../errors.ts'
import { escapeText } from '../output/escape.ts'
import type { Context } from './context.ts'

/** A document from a file, or from the standard input where the file is `-`. */
export async function readDocument({ surroundings }: Context, file: string): Promise<string> {
  if (file === '-') return surroundings.readStdin()
  try {
    return readFileSync(resolve(surroundings.cwd, file), 'utf8')
  } catch (error) {
    throw new CommandFailed('usage', `${file} cannot be read: ${messageOf(error)}.`)
  }
}

/** `file:line:col directive message`, which editors and CI understand. */
export function formatProblem(
  file: string,
  { line, column, directive, message }: Omit<DocumentProblem, 'code'>,
): string {
  const where = `${file === '-' ? 'stdin' : file}:${line}:${column}`
  return escapeText([where, directive, message].filter((part) => part !== '').join(' '))
}
