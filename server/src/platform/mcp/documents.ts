import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Pages of the documentation, which agents may read. */
export interface Documents {
  list(): Promise<readonly DocumentHead[]>
  /** The page in Markdown; undefined: there is no such page. */
  read(name: string): Promise<string | undefined>
}

export interface DocumentHead {
  /** Such as `runs` or `pipelines/language`. */
  readonly name: string
  /** The first heading. */
  readonly title: string
}

/** Subfolders that users read; decisions and operations are for others. */
const FOLDERS = ['', 'pipelines', 'mcp']

/** The Markdown files of a folder, read once; an installation without the folder has none. */
export function openDocuments(folder: string): Documents {
  let heads: Promise<readonly DocumentHead[]> | undefined
  const list = (): Promise<readonly DocumentHead[]> => (heads ??= listHeads(folder))
  return {
    list,
    async read(name) {
      const known = (await list()).some((head) => head.name === name)
      return known ? await readFile(join(folder, `${name}.md`), 'utf8') : undefined
    },
  }
}

async function listHeads(folder: string): Promise<readonly DocumentHead[]> {
  const found = await Promise.all(FOLDERS.map((under) => listFolder(folder, under)))
  return found.flat()
}

async function listFolder(folder: string, under: string): Promise<readonly DocumentHead[]> {
  const files = await readdir(join(folder, under)).catch(() => [])
  return files
    .filter((file) => /^[\w-]+\.md$/.test(file))
    .sort()
    .map((file) => {
      const name = `${under === '' ? '' : `${under}/`}${file.slice(0, -'.md'.length)}`
      return { name, title: titleOf(join(folder, under, file)) ?? name }
    })
}

function titleOf(path: string): string | undefined {
  return /^# (.+)$/m.exec(readFileSync(path, 'utf8').slice(0, 2000))?.[1]
}
