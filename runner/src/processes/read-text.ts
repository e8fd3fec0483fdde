import { readFileSync } from 'node:fs'

/** The text of a file, such as one of /proc; empty where the file is missing or belongs to another user. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
