import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { findFirstLoad } from './first-load.ts'

const root = join(import.meta.dirname, '../..')
/** What a browser may have to load before the list of runs can be used (facts of the page, section 5). */
const LIMIT_KB = 250

test(`JavaScript and styles from the sign-in to the list of runs are at most ${LIMIT_KB} KB, compressed`, () => {
  execFileSync(process.execPath, [join(root, 'ui/build/build-page.ts'), '--if-stale'])
  const files = findFirstLoad(join(root, 'ui/dist'), [
    'src/rooms/sessions/sign-in-page.tsx',
    'src/rooms/runs/runs-page.tsx',
  ])
  const sizes = files.map((file) => [file, servedBytes(join(root, 'ui/dist', file))] as const)
  const kilobytes = sizes.reduce((sum, [, size]) => sum + size, 0) / 1024
  assert.ok(
    kilobytes <= LIMIT_KB,
    `${kilobytes.toFixed(0)} KB: ${sizes.map(([file, size]) => `${file} ${size}`).join(', ')}`,
  )
})

/** What the control plane sends of a file to a browser without Brotli: its compressed copy, where the build made one. */
function servedBytes(file: string): number {
  return existsSync(`${file}.gz`) ? statSync(`${file}.gz`).size : gzipSync(readFileSync(file)).length
}
