import { chmodSync, renameSync, writeFileSync } from 'node:fs'

/** Writes a file as a whole: a reader finds the old text or the new one. Throws the system's error. */
export function replaceFile(path: string, text: string, mode: number): void {
  const beside = `${path}.new`
  writeFileSync(beside, text, { mode })
  chmodSync(beside, mode)
  renameSync(beside, path)
}
