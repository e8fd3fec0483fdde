import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes a text file at a path relative to `into`, with its folders. */
export async function writeOutput(into: string, path: string, text: string): Promise<void> {
  const target = join(into, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
}
