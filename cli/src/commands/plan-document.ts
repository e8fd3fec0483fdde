import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { CommandFailed } from '../errors.ts'
import type { Surroundings } from '../surroundings.ts'

/** A body from a file, as YAML or JSON. Throws CommandFailed for one that cannot be read. */
export async function readDocument(surroundings: Surroundings, file: string): Promise<unknown> {
  const text = file === '-' ? await surroundings.readStdin() : readText(resolve(surroundings.cwd, file), file)
  try {
    const parsed: unknown = parse(text)
    return parsed
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'unreadable'
    throw new CommandFailed('usage', `${file} is neither YAML nor JSON: ${why}`)
  }
}

function readText(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new CommandFailed('usage', `${shown} cannot be read.`)
  }
}
