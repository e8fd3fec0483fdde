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

/** The fields of a document in YAML or JSON. */
export async function readFields(context: Context, file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readDocument(context, file)
  const { parse } = await import('yaml')
  let document: unknown
  try {
    document = parse(text)
  } catch (error) {
    throw new CommandFailed('usage', `${file} cannot be read: ${messageOf(error)}`)
  }
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return { ...document }
  throw new CommandFailed('usage', `${file} holds no map of fields.`)
}

/** `file:line:col directive message`, which editors and CI understand. */
export function formatProblem(
  file: string,
  { line, column, directive, message }: Omit<DocumentProblem, 'code'>,
): string {
  const where = `${file === '-' ? 'stdin' : file}:${line}:${column}`
  return escapeText([where, directive, message].filter((part) => part !== '').join(' '))
}
