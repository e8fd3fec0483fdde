import { readFileSync } from 'node:fs'
import { object, text } from './client/shape.ts'

const named = object({ version: text })

/** The version that `signalbox --version` prints. */
export function readVersion(): string {
  const document: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return named(document, 'package.json').version
}
