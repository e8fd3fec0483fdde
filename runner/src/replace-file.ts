import { chmodSync, renameSync, writeFileSync } from 'node:fs'

/** Writes a file as a whole: whoever reads it finds the text before or the text after. Throws the system's error. */
export function replaceFile(path: string, text: string, mode: number): void {
  const beside = `${path}.new`
  writeFileSync(beside, text, { mode })
  chmodSync(beside, mode)
  renameSync(beside, path)
}
