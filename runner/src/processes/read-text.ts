import { readFileSync } from 'node:fs'

/** The text of a file such as those of /proc; empty where there is none, or another user owns it. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
