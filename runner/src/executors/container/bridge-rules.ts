import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describeError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { findPrograms } from '../../processes/find-programs.ts'

/** The bridges of attempts have names that begin so: one table of rules counts for all of them. */
export const BRIDGE_PREFIX = 'sbx-'

const LONGEST_MS = 10_000

// The table is written as a whole and in one step. Other rules of the machine still refuse what they refused before.
// Engines answer names at port 53 of the bridge. The machine has rewritten (`dnat`) what it forwards to a published
// port.
const TABLE = `
add table inet signalbox
delete table inet signalbox
table inet signalbox {
  chain input {
    type filter hook input priority filter - 5; policy accept;
    iifname != "${BRIDGE_PREFIX}*" accept
    ct state established,related accept
    meta l4proto { tcp, udp } th dport 53 accept
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
    reject with icmpx admin-prohibited
  }
  chain forward {
    type filter hook forward priority filter - 5; policy accept;
    ct state established,related accept
    oifname "${BRIDGE_PREFIX}*" reject with icmpx admin-prohibited
    meta l4proto { tcp, udp } th dport 53 accept
    iifname "${BRIDGE_PREFIX}*" ct status dnat reject with icmpx admin-prohibited
  }
}
`

/** Writes the rules; answers why that cannot be done. */
export type WriteRules = () => Promise<string | undefined>

/** Writes the rules by nft, which takes root (or CAP_NET_ADMIN) in the machine's own network. */
export const writeByNft: WriteRules = async () => {
  if (process.platform !== 'linux') return 'only Linux has such rules'
  const [program] = findPrograms('nft')
  if (program === undefined) return 'nft is not installed (Debian: nftables)'
  try {
    const nft = spawn(program, ['-f', '-'], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: LONGEST_MS,
    })
    // The program may end without reading; its exit code tells more.
    nft.stdin.on('error', () => {})
    nft.stdin.end(TABLE)
    const [said, [code]] = await Promise.all([text(nft.stderr), once(nft, 'close')])
    if (code === 0) return undefined
    return `nft refused: ${said.split('\n')[0] || 'it gave no reason'}`
  } catch (error) {
    return `nft could not be started: ${describeError(error)}`
  }
}

/**
 * Keeps containers of attempts from the machine's own ports, and everything else on the machine from the ports of those
 * containers. The rules have a table of their own, which serves all runners of the machine. The table stays, and does
 * nothing without such bridges.
 */
export class BridgeRules {
  readonly #write: WriteRules
  readonly #log: Log
  #held: boolean | undefined
  #missed = false
  /** One writes at a time. */
  #writing: Promise<string | undefined> = Promise.resolve(undefined)

  constructor(log: Log, write: WriteRules = writeByNft) {
    this.#log = log
    this.#write = write
  }

  /**
   * Writes the rules again even where they stand, because a reload of the firewall removes all rules. A machine that
   * once had the rules does not go on without: the answer then says why they cannot be written.
   */
  async renew(): Promise<string | undefined> {
    this.#writing = this.#writing.then(() => this.#write())
    const reason = await this.#writing
    if (reason === undefined) {
      if (this.#held !== true) this.#log.info('tasks in containers cannot reach ports of this machine', { by: 'nft' })
      this.#held = true
      return undefined
    }
    if (this.#held === undefined) this.#log.warn(REACHABLE, { reason })
    this.#held ??= false
    return this.#held ? reason : undefined
  }

  /** Whether the rules do not reach this bridge, and no warning about any bridge was written yet. */
  misses(bridge: string): boolean {
    return this.#held === true && !this.#missed && !existsSync(`/sys/class/net/${bridge}`)
  }

  /** Warns once that the engine's bridges are in another network than the runner: in a container, or on another machine. */
  tellMissed(bridge: string): void {
    if (this.#missed) return
    this.#missed = true
    this.#log.warn(REACHABLE, { reason: `the engine's bridge ${bridge} is not in the network of this runner` })
  }
}

const REACHABLE = "tasks in containers can reach ports of the engine's machine that listen on all addresses"
