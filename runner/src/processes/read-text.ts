import { readFileSync } from 'node:fs'

/** What the system says in a file such as those of /proc; empty where there is none, or it is another user's. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
