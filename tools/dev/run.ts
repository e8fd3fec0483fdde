import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

// npm run dev [-- options of signalbox up]: the product, started again on each change, and Vite's server for the web
// page, which shows each change at once and passes /v1 on to the product (ui/vite.config.ts).

const root = resolve(import.meta.dirname, '../..')
const watched = ['contracts', 'pipeline', 'server', 'runner', 'cli'].map((name) => `--watch-path=${name}/src`)

const product = spawn(
  process.execPath,
  ['--watch-preserve-output', ...watched, 'cli/bin/signalbox.mjs', 'up', '--no-page', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
const page = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js')], {
  cwd: join(root, 'ui'),
  stdio: 'inherit',
})

// From a terminal Ctrl-C reaches all three: this process only waits, and ends with the product.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => product.kill('SIGTERM'))
product.on('exit', (code) => {
  page.kill('SIGTERM')
  process.exitCode = code ?? 1
})
