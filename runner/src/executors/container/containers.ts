import { fileURLToPath } from 'node:url'
import { describeError } from '../../errors.ts'
import type { Command } from '../../processes/running-process.ts'
import type { Executor } from '../executor.ts'
import { BridgeRules } from './bridge-rules.ts'
import { containerExecutor } from './container-executor.ts'
import type { ContainerTools } from './container-tools.ts'
import type { EngineAddress } from './engine/address.ts'
import { readEngineAddress, usualAddresses } from './engine/address.ts'
import { EngineWatch } from './engine-watch.ts'
import { LABEL_NAMES } from './specs.ts'
import { sweepEngine } from './sweep.ts'

export type ContainersOptions = ContainerTools & {
  /** Where the engine listens; undefined: at one of the usual places. */
  host: string | undefined
  /** The user's folder for sockets, XDG_RUNTIME_DIR. */
  runtimeFolder: string | undefined
  /** Silence of an engine that ends what is in its hands. */
  patienceMs: number
  isInHand: (fence: string) => boolean
  /** There is an engine now, or there is none any more. */
  changed: () => void
  /** Takes the command that ends the containers when this process dies; undefined when there is nothing to end. */
  afterDeath: (command: Command | undefined) => void
}

const CLEAN_UP = fileURLToPath(new URL('./clean-up.ts', import.meta.url))

/** Everything of this runner that has to do with containers. */
export class Containers implements Disposable {
  readonly executor: Executor
  readonly #options: ContainersOptions
  readonly #watch: EngineWatch
  readonly #rules: BridgeRules
  #started = false

  constructor(options: ContainersOptions) {
    this.#options = options
    const { host, time, log, patienceMs } = options
    const addresses = host === undefined ? usualAddresses(options.runtimeFolder) : [readEngineAddress(host)]
    const changed = () => this.#changed()
    this.#watch = new EngineWatch({ addresses, named: host !== undefined, time, log, patienceMs, changed })
    this.#rules = new BridgeRules(log)
    this.executor = containerExecutor({ ...options, watch: this.#watch, rules: this.#rules })
  }

  /** Whether an engine answers. */
  get available(): boolean {
    return this.#watch.answers
  }

  /** Looks for the engine, and removes what a former start of this runner left there. */
  async start(): Promise<void> {
    await this.#watch.start()
    await this.sweep()
    this.#started = true
  }

  /** Removes containers and networks whose attempt is not in hand any more, and renews the rules for those in hand. */
  async sweep(): Promise<void> {
    const { log, runner, isInHand, defaultNetwork } = this.#options
    const reached = this.#watch.reached
    if (reached === undefined) return
    if (defaultNetwork === 'default') {
      const reason = await this.#rules.renew()
      if (reason !== undefined) log.warn('the rules for networks of tasks could not be renewed', { reason })
    }
    try {
      const found = await sweepEngine(reached.engine, `${LABEL_NAMES.runner}=${runner.runnerId}`, isInHand)
      if (found > 0) log.warn('removed containers whose task is not in hand any more', { found })
    } catch (error) {
      log.warn('containers could not be looked through', { reason: describeError(error) })
    }
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]()
  }

  #changed(): void {
    const { afterDeath, runner, changed } = this.#options
    const address = this.#watch.reached?.engine.address
    afterDeath(address === undefined ? undefined : cleanUpCommand(address, runner.start))
    // The containers that the engine runs for us are from before it went away.
    if (this.#started) void this.sweep()
    changed()
  }
}

function cleanUpCommand({ text }: EngineAddress, start: string): Command {
  return {
    file: process.execPath,
    args: [CLEAN_UP, text, start],
    environment: {},
    directory: '/',
    owner: undefined,
  }
}
