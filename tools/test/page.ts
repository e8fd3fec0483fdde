import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Runs the tests of the page's pure parts by Vitest; answers its exit code. */
export function runPageTests(root: string, files: readonly string[]): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const words = ['run', '--root', join(root, 'ui'), ...files.filter((file) => file !== '')]
  return new Promise((settle, fail) => {
    const child = spawn(process.execPath, [vitest, ...words], { cwd: root, stdio: 'inherit' })
    child.once('error', fail)
    child.once('close', (code) => settle(code ?? 1))
  })
}
