import type { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { systemTime } from '../../time/index.ts'
import { Cells } from '../cgroups/cells.ts'
import { CGROUP_FLAG } from '../cgroups/cgroup.ts'
import type { ProcessGroup } from '../process-group.ts'
import { signalGroup, startProcessGroup } from '../process-group.ts'
import type { Command, GroupListener } from '../running-process.ts'
import { readCommand, writeEnd, writeStarted } from './bodies.ts'
import { FrameReader, frameHeader, TO_RUNNER, TO_SPAWNER } from './frames.ts'

// A process that does nothing but start processes. Each start copies the page tables of its parent, and both pay for
// every page that they write to afterwards. A busy runner starts processes at a fifth of this small process's rate. So
// it loads as little as it can, keeps nothing, and knows neither the control plane nor secrets to mask.

if (process.argv.includes('--load-only')) process.exit(0)

// Not stdout: Node would wait for the runner to read.
const runner = new Socket({ fd: 3, readable: true, writable: true })
const folder = process.argv.find((word) => word.startsWith(CGROUP_FLAG))?.slice(CGROUP_FLAG.length)
const cells = folder === undefined ? undefined : new Cells(folder, systemTime)
const groups = new Map<number, { group: ProcessGroup; paused: boolean }>()
// The runner reads slower than tasks write: their pipes are left to fill up.
let congested = false
// The command that ends things that are no process of ours, such as containers.
let lastWill: Command | undefined

function tell(kind: number, id: number, body: Buffer): void {
  runner.cork()
  runner.write(frameHeader(kind, id, body.length))
  const flows = runner.write(body)
  runner.uncork()
  if (flows || congested) return
  congested = true
  for (const { group } of groups.values()) group.pause(true)
}

runner.on('drain', () => {
  congested = false
  for (const { group, paused } of groups.values()) if (!paused) group.pause(false)
})

function start(id: number, body: Buffer): void {
  const listener: GroupListener = {
    output: (stream, bytes) => tell(TO_RUNNER[stream], id, bytes),
    ended: (end) => {
      groups.delete(id)
      tell(TO_RUNNER.ended, id, writeEnd(end))
    },
  }
  const group = startProcessGroup(readCommand(body), systemTime, listener, cells)
  groups.set(id, { group, paused: false })
  if (group.pid === undefined) return
  tell(TO_RUNNER.started, id, writeStarted(group.pid, systemTime.now()))
  if (congested) group.pause(true)
}

function pause(id: number, paused: boolean): void {
  const entry = groups.get(id)
  if (entry === undefined) return
  entry.paused = paused
  entry.group.pause(paused || congested)
}

const reader = new FrameReader(({ kind, id, body }) => {
  if (kind === TO_SPAWNER.start) start(id, body)
  else if (kind === TO_SPAWNER.lastWill) lastWill = body.length === 0 ? undefined : readCommand(body)
  else pause(id, kind === TO_SPAWNER.pause)
})

// The pipe ends when the runner does, however it does: nothing that it started may outlive it.
function leave(): void {
  for (const { group } of groups.values()) if (group.pid !== undefined) signalGroup(group.pid, 'SIGKILL')
  cells?.killAll()
  if (lastWill !== undefined) {
    const { file, args, environment, directory } = lastWill
    spawn(file, args, { cwd: directory, env: { ...environment }, detached: true, stdio: 'ignore' }).unref()
  }
  process.exit(0)
}

runner.on('data', (bytes: Buffer) => reader.push(bytes))
runner.on('end', leave)
runner.on('error', leave)
// Stopping is the runner's to decide: a service manager signals every process, a terminal the whole group.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => {})
