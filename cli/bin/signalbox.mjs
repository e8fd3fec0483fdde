#!/usr/bin/env node
// Plain JavaScript, so that an old Node can still name the problem, or hand over to the packaged one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = [24, 7]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  createRequire(import.meta.url)('node:module').enableCompileCache()
  const { programOf } = await import('../../build/built.mjs')
  const { main } = await import(programOf('cli'))
  await main()
} else {
  const packaged = findPackagedNode(dirname(fileURLToPath(import.meta.url)))
  if (packaged === undefined) {
    process.stderr.write(
      `signalbox needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}. ` +
        'Run "npm ci" in the folder of signalbox, which brings one along, or install a newer Node.\n',
    )
    process.exitCode = 2
  } else handOver(packaged)
}

/** Looks for node_modules/.bin/node here and in each folder above. */
function findPackagedNode(folder) {
  const candidate = join(folder, 'node_modules', '.bin', 'node')
  if (existsSync(candidate)) return candidate
  const parent = dirname(folder)
  return parent === folder ? undefined : findPackagedNode(parent)
}

/** Runs the same command under the newer Node; signals go on to it and its end is ours. */
function handOver(node) {
  const ipc = process.channel ? ['ipc'] : []
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', ...ipc] })
  // From a terminal the child gets Ctrl-C by itself; sent twice, it would count as two.
  const ignore = () => {}
  if (process.stdin.isTTY) process.on('SIGINT', ignore)
  else process.on('SIGINT', () => child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.on('disconnect', () => child.disconnect())
  child.on('error', (error) => {
    process.stderr.write(`signalbox: ${node} cannot be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
