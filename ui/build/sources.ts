import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** All that a build of the page is made of, relative to the root: the page, the workspaces it imports, its packages. */
const SOURCES = [
  'ui/index.html',
  'ui/vite.config.ts',
  'ui/package.json',
  'ui/{build,public,src}/**/*',
  '{contracts,pipeline}/package.json',
  '{contracts,pipeline}/src/**/*.ts',
  'package-lock.json',
]
const TESTS = /\.test\.tsx?$|(^|\/)testing\//

/** Equal for equal sources, wherever and whenever they lie. */
export function digestSources(root: string): string {
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !TESTS.test(file))
  const digest = createHash('sha256')
  for (const file of files.sort()) {
    const content = readFileSync(file)
    digest.update(`${file.slice(root.length)} ${content.length}\n`).update(content)
  }
  return digest.digest('hex')
}
