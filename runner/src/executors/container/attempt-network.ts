import { randomBytes } from 'node:crypto'
import type { Assign } from '@signalbox/contracts/runner'
import { BRIDGE_PREFIX } from './bridge-rules.ts'
import type { ExecutionTools } from './container-tools.ts'
import { isRefusal } from './engine/errors.ts'
import { LaunchError, networkAdvice } from './launch.ts'
import { labelsOf } from './specs.ts'

/** The network of one attempt: its own, where neither the pipeline nor the operator named another. */
export class AttemptNetwork {
  readonly #tools: ExecutionTools
  #own: { readonly name: string; readonly bridge: string } | undefined

  constructor(tools: ExecutionTools) {
    this.#tools = tools
  }

  /** Answers the engine's name for the wanted network. Throws a `LaunchError`, or an `EngineError` of silence. */
  async open(assign: Assign, wanted: string, signal: AbortSignal): Promise<string> {
    const { engine, runner, rules, defaultNetwork } = this.#tools
    const mode = wanted === '' ? 'default' : wanted
    if (mode !== 'default') return mode
    if (defaultNetwork !== 'default') return defaultNetwork
    const unheld = await rules.renew()
    if (unheld !== undefined) {
      throw new LaunchError(`The network of the task could not be closed to ports of this machine: ${unheld}.`)
    }
    const id = randomBytes(5).toString('hex')
    const own = { name: `signalbox-${id}`, bridge: `${BRIDGE_PREFIX}${id}` }
    // Before it is made: an engine that falls silent may have made it.
    this.#own = own
    try {
      await engine.networks.create({ ...own, labels: labelsOf(assign, runner) }, signal)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const reason = error.message
      throw new LaunchError(`The network of the task could not be made: ${reason}.${networkAdvice(reason)}`, {
        cause: error,
      })
    }
    return own.name
  }

  /** Looks whether the rules count for it, once a container was started in it. */
  async check(container: string): Promise<void> {
    const { engine, rules } = this.#tools
    const bridge = this.#own?.bridge
    if (bridge === undefined || !rules.misses(bridge)) return
    // Podman removes a bridge with the last container there: only while one runs is it missing.
    const facts = await engine.findContainer(container)
    if (facts?.status === 'running') rules.tellMissed(bridge)
  }

  /** Removes the network, when its containers are gone; does nothing without a network. */
  async close(): Promise<void> {
    if (this.#own !== undefined) await this.#tools.engine.networks.remove(this.#own.name)
  }
}
