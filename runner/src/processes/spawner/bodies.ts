import { Buffer } from 'node:buffer'
import type { Command, ProcessEnd } from '../running-process.ts'

/** A command as it goes to the spawner. */
export function writeCommand(command: Command): Buffer {
  return Buffer.from(JSON.stringify(command))
}

/** Reads the command of `writeCommand`. The fields need no check: both ends are one program of one version. */
export function readCommand(body: Buffer): Command {
  const command: Command = JSON.parse(body.toString('utf8'))
  return command
}

/** How a process ended, as it goes to the runner. */
export function writeEnd(end: ProcessEnd): Buffer {
  return Buffer.from(JSON.stringify(end))
}

export function readEnd(body: Buffer): ProcessEnd {
  const end: ProcessEnd = JSON.parse(body.toString('utf8'))
  return end
}

const STARTED_BYTES = 12

/** Process id, and the Unix time in milliseconds at which it was started. */
export function writeStarted(pid: number, atMs: number): Buffer {
  const body = Buffer.allocUnsafe(STARTED_BYTES)
  body.writeUInt32LE(pid, 0)
  body.writeDoubleLE(atMs, 4)
  return body
}

export function readStarted(body: Buffer): { pid: number; atMs: number } {
  return {
    pid: body.readUInt32LE(0),
    atMs: body.readDoubleLE(4),
  }
}
