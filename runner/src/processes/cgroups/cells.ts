import { Buffer } from 'node:buffer'
import { mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pause, type Time } from '../../time/index.ts'
import { HOME_CELL, killCgroup } from './cgroup.ts'

/** The cgroup of one process and of all that comes of it. */
export interface Cell {
  readonly folder: string
  /** The file `cgroup.procs` of the cell, open for reading and writing. */
  readonly procs: number
}

const FIRST_WAIT_MS = 1
const LONGEST_WAIT_MS = 50
// A killed process that has not gone by then waits in the kernel for a disk or a network, and runs no instruction any
// more.
const PATIENCE_MS = 10_000

/**
 * Starts processes in cells, without a moment outside. This process moves into a cell, forks there, and stays until it
 * starts the next one; so a start costs one move. Measured on Linux 6.18 for a start of /bin/sh (1.4 ms): a move costs
 * 0.03 to 0.1 ms. Four variants lost. In and out again takes two moves. Writing the child's id after the fork costs the
 * same, but a child that forks at once has escaped. A shell that moves itself and becomes the task by setpriv takes 1.6
 * ms more. Node has no clone3 with CLONE_INTO_CGROUP.
 */
export class Cells {
  readonly #folder: string
  readonly #time: Time
  readonly #home: Cell
  readonly #free: Cell[] = []
  readonly #taken = new Set<Cell>()
  #here: Cell
  #number = 0
  // The list of a few processes; a longer one means as well that the cell is not empty.
  readonly #list = Buffer.alloc(64)

  constructor(folder: string, time: Time) {
    this.#folder = folder
    this.#time = time
    this.#home = open(join(folder, HOME_CELL))
    this.#here = this.#home
    move(this.#home)
  }

  /** From now on what this process starts is born in the cell. Throws the system's error. */
  enter(): Cell {
    const cell = this.#free.pop() ?? this.#make()
    this.#taken.add(cell)
    if (this.#here !== cell) {
      move(cell)
      this.#here = cell
    }
    return cell
  }

  /** Resolves when no process of the cell is left. */
  async end(cell: Cell): Promise<void> {
    const giveUpAt = this.#time.monotonic() + PATIENCE_MS
    for (let waitMs = FIRST_WAIT_MS; !this.#isEmpty(cell); waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      this.#leave(cell)
      killCgroup(cell.folder)
      if (this.#isEmpty(cell)) break
      // The cell serves nobody again, and goes with the runner.
      if (this.#time.monotonic() > giveUpAt) return
      await pause(this.#time, waitMs)
    }
    this.#taken.delete(cell)
    this.#free.push(cell)
  }

  /** Kills the processes of all cells, without waiting. */
  killAll(): void {
    for (const cell of this.#taken) {
      this.#leave(cell)
      killCgroup(cell.folder)
    }
    if (this.#here !== this.#home) this.#leave(this.#here)
  }

  #leave(cell: Cell): void {
    if (this.#here !== cell) return
    move(this.#home)
    this.#here = this.#home
  }

  #isEmpty(cell: Cell): boolean {
    const length = readSync(cell.procs, this.#list, 0, this.#list.length, 0)
    if (length === 0) return true
    return this.#here === cell && this.#list.toString('latin1', 0, length) === `${process.pid}\n`
  }

  #make(): Cell {
    // The name holds this process's id: cells of a process that died may not be empty yet.
    const folder = join(this.#folder, `${process.pid}-${++this.#number}`)
    mkdirSync(folder)
    return open(folder)
  }
}

function open(folder: string): Cell {
  return { folder, procs: openSync(join(folder, 'cgroup.procs'), 'r+') }
}

function move({ procs }: Cell): void {
  writeSync(procs, '0')
}
