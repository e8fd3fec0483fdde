import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readBirth } from './index.ts'

const stat = (name: string, state: string): string =>
  `4711 (${name}) ${state} 1 4711 4711 0 -1 4194304 100 0 0 0 1 2 3 4 20 0 1 0 987654 1000 200 18446744073709551615 1`

test('a birth is found whatever the program is called, and a process that has ended has none', () => {
  for (const name of ['node', 'a b', ') S 1 2', 'x (y) Z']) assert.equal(readBirth(stat(name, 'S')), '987654')
  assert.equal(readBirth(stat('node', 'Z')), undefined)
  assert.equal(readBirth(stat('node', 'X')), undefined)
  assert.equal(readBirth(''), undefined)
})

test('a process that nobody has reaped yet has no birth any more', { skip: process.platform !== 'linux' }, async () => {
  // The shell becomes a sleep, which reaps nobody; only then its child ends, or the shell could reap it.
  const child = 'until grep -q sleep /proc/$PPID/comm; do :; done'
  const parent = spawn('/bin/sh', ['-c', `sh -c '${child}' & echo $!; exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [pid] = await once(parent.stdout, 'data')
  const path = `/proc/${String(pid).trim()}/stat`
  while (readBirth(readFileSync(path, 'utf8')) !== undefined) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.match(readFileSync(path, 'utf8'), /\) Z /)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
})
