import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { planStages, writeLot } from './plan.ts'

const LIMIT = pathToFileURL(join(import.meta.dirname, 'file-limit.ts')).href

/**
 * The files that node's test runner is to start, stage by stage and in this order: a file itself where it is alone, else
 * a module of its lot. Modules are written into `folder`. Files are relative to `root`.
 */
export function writeEntries(root: string, files: readonly string[], folder: string): Promise<string[][]> {
  return Promise.all(
    planStages(files).map((stage) =>
      Promise.all(
        stage.map(async (lot) => {
          const [first = '', ...others] = lot.files
          if (others.length === 0) return first
          const entry = join(folder, `${first.replaceAll('/', '_')}.mjs`)
          const addresses = lot.files.map((file) => [file, pathToFileURL(join(root, file)).href] as const)
          await writeFile(entry, writeLot(new Map(addresses), LIMIT))
          return entry
        }),
      ),
    ),
  )
}
