import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describeError } from '../../errors.ts'
import { runAs } from '../../executors/workspace/run-as.ts'
import { takeLock } from '../../identity/lock.ts'
import type { Log } from '../../log.ts'
import type { Time, Timer } from '../../time/index.ts'
import { pause } from '../../time/index.ts'
import type { Trees } from '../../trees/trees.ts'
import { killProcess } from '../process-group.ts'
import type { Owner, ProcessEnd, StartProcess } from '../running-process.ts'
import { type AccountRange, isInRange } from './account-range.ts'
import type { Leftovers } from './leftovers.ts'
import { findLeftovers, hasLeft, hasProcesses } from './leftovers.ts'

export interface AccountsOptions {
  readonly range: AccountRange
  /** Where runners of this machine say which accounts are theirs; for root alone. */
  readonly claims: string
  /** Where in the range this runner begins to look for free ones. */
  readonly offset: number
  readonly start: StartProcess
  readonly trees: Trees
  /** Nothing runs as this account, and it may be taken from now on. */
  readonly freed: (owner: Owner) => void
  readonly time: Time
  readonly log: Log
}

// The number of accounts that are taken from the range at a time, and searched together.
const CLAIMED_AT_ONCE = 8
// Accounts that come back wait so long for others, with which they are looked through.
const GATHER_MS = 250
// The share of one processor that looks may take: thousands of processes on a machine make each look longer.
const SHARE_OF_TIME = 1 / 20
// After this many rounds with leftovers the account is used no more.
const MOST_ROUNDS = 50
const MOST_KILLERS = 20
// A killed process that has not gone by then waits in the kernel for a disk or a network, and runs no instruction any
// more.
const GOING_MS = 10_000
const LONGEST_WAIT_MS = 50

/**
 * The accounts that tasks of a root runner run as, one for each run. No two runners of a machine have the same one. An
 * account that comes back is given out again only after a look that finds nothing of it. The look covers processes,
 * common files and objects of System V.
 */
export class Accounts implements AsyncDisposable {
  readonly #options: AccountsOptions
  readonly #claims = new Map<number, Disposable>()
  /** The account that has been free for longest comes first. */
  readonly #free: Owner[] = []
  readonly #used = new Map<number, { readonly owner: Owner; rounds: number }>()
  #looking: Promise<void> | undefined
  #timer: Timer | undefined
  #closed = false
  #next = 0

  constructor(options: AccountsOptions) {
    this.#options = options
    mkdirSync(options.claims, { recursive: true, mode: 0o700 })
  }

  /** Ends what runners that were killed have left running as accounts of theirs. Returns how many accounts had something. */
  async takeOverFromDead(): Promise<number> {
    for (const name of readdirSync(this.#options.claims)) {
      const uid = Number(name)
      if (/^\d+$/.test(name) && isInRange(this.#options.range, uid)) this.#claim(uid)
    }
    const uids = new Set(this.#used.keys())
    const dirty = [...findLeftovers(uids).values()].filter(hasLeft).length
    while (this.#used.size > 0) await this.#look()
    return dirty
  }

  /** Undefined where none is free. */
  async take(): Promise<Owner | undefined> {
    for (;;) {
      const owner = this.#free.shift()
      if (owner !== undefined) return owner
      if (this.#claimMore() === 0) {
        if (this.#used.size === 0) return undefined
        await pause(this.#options.time, GATHER_MS)
      }
      await this.#look()
    }
  }

  /** Its run has nothing here any more. */
  giveBack(owner: Owner): void {
    this.#used.set(owner.uid, { owner, rounds: 0 })
    this.#schedule(GATHER_MS)
  }

  /**
   * Kills every process of this account in one step of the kernel, so that a process that forks all the time does not
   * escape. Resolves when none of them holds anything any more.
   */
  async killAll(owner: Owner): Promise<void> {
    for (let killer = 0; killer < MOST_KILLERS; killer++) {
      const end = await this.#runAs(owner, 'kill -KILL -1')
      // A process of the account may have killed the killer first.
      if (end.kind === 'exited') return await this.#untilGone(owner)
      for (const pid of findLeftovers(new Set([owner.uid])).get(owner.uid)?.pids ?? []) killProcess(pid)
    }
    this.#options.log.warn('processes of an account could not be ended', { uid: owner.uid })
  }

  /** Gives all of them up, for other runners. Nothing of this runner is to run any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#timer?.stop()
    await this.#looking
    await this.#lookThrough()
    for (const claim of this.#claims.values()) claim[Symbol.dispose]()
    this.#claims.clear()
  }

  #claimMore(): number {
    const { range, offset } = this.#options
    let claimed = 0
    for (; this.#next < range.count && claimed < CLAIMED_AT_ONCE; this.#next++) {
      if (this.#claim(range.first + ((offset + this.#next) % range.count))) claimed++
    }
    return claimed
  }

  #claim(uid: number): boolean {
    if (this.#claims.has(uid)) return false
    const claim = takeLock(join(this.#options.claims, String(uid)), new Date(this.#options.time.now()).toISOString())
    if ('heldBy' in claim) return false
    this.#claims.set(uid, claim)
    this.#used.set(uid, { owner: { uid, gid: uid }, rounds: 0 })
    return true
  }

  #schedule(waitMs: number): void {
    if (this.#closed) return
    this.#timer ??= this.#options.time.after(waitMs, () => {
      this.#timer = undefined
      void this.#look()
    })
  }

  /** One look at a time. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    const tookMs = await this.#lookThrough()
    this.#looking = undefined
    if (this.#used.size > 0) this.#schedule(Math.max(GATHER_MS, tookMs / SHARE_OF_TIME))
  }

  /**
   * Looks through the accounts that have come back; accounts without leftovers are free. Answers what the look cost.
   */
  async #lookThrough(): Promise<number> {
    const { time, log } = this.#options
    const begun = time.monotonic()
    const found = findLeftovers(new Set(this.#used.keys()))
    const tookMs = time.monotonic() - begun
    for (const [uid, left] of found) {
      const used = this.#used.get(uid)
      if (used === undefined) continue
      if (!hasLeft(left)) {
        this.#used.delete(uid)
        this.#free.push(used.owner)
        if (!this.#closed) this.#options.freed(used.owner)
      } else if (++used.rounds > MOST_ROUNDS) {
        // The account stays claimed, so that no other runner gets it either.
        this.#used.delete(uid)
        log.warn('an account is given up: something of it cannot be removed', { uid, left: said(left) })
      } else await this.#remove(used.owner, left)
    }
    return tookMs
  }

  async #remove(owner: Owner, { pids, files, ipcrm }: Leftovers): Promise<void> {
    for (const pid of pids) killProcess(pid)
    if (pids.length > 0 && !this.#closed) await this.killAll(owner)
    for (const file of files) {
      try {
        await this.#options.trees.remove(file)
      } catch (error) {
        this.#options.log.warn('a file of a task could not be removed', { file, reason: describeError(error) })
      }
    }
    if (ipcrm.length > 0) await runAs(owner, '/usr/bin/ipcrm', ipcrm).catch(() => undefined)
  }

  async #untilGone({ uid }: Owner): Promise<void> {
    const { time } = this.#options
    const giveUpAt = time.monotonic() + GOING_MS
    for (
      let waitMs = 1;
      hasProcesses(uid) && time.monotonic() < giveUpAt;
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
    ) {
      await pause(time, waitMs)
    }
  }

  #runAs(owner: Owner, script: string): Promise<ProcessEnd> {
    const command = { file: '/bin/sh', args: ['-c', script], environment: {}, directory: '/', owner }
    return new Promise((resolve) => {
      this.#options.start(command, { started: () => {}, output: () => {}, ended: resolve })
    })
  }
}

function said({ pids, files, ipcrm }: Leftovers): string {
  return [...pids.map((pid) => `process ${pid}`), ...files, ...ipcrm].slice(0, 5).join(', ')
}
