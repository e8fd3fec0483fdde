import type { Assign, Container, Service } from '@signalbox/contracts/runner'
import { pause } from '../../time/index.ts'
import type { Credentials } from './engine/engine.ts'
import { EngineError } from './engine/errors.ts'
import type { ImageTools } from './images.ts'
import { ensureImage } from './images.ts'
import { launch } from './launch.ts'
import type { Network, RunnerStart } from './specs.ts'
import { serviceSpec } from './specs.ts'

type Started = { readonly name: string; readonly id: string; readonly hasHealthCheck: boolean }

export type ServiceTools = ImageTools & {
  runner: RunnerStart
  /** What `default` means on this runner. */
  defaultNetwork: string
  /** A container is there and will have to go. */
  created(id: string): void
}

const readyWithinMs = 120_000
const firstLookMs = 50
const longestPauseMs = 1000
const keptLines = 50
const loopback = '127.0.0.1'

const engineNetwork = (network: string, defaultNetwork: string): string =>
  network === '' || network === 'default' ? defaultNetwork : network

/**
 * The containers beside a task. They and the task share one network namespace, as the containers of a Kubernetes pod
 * do: the first of them opens it, the others join it, and each is reached at its name, which is this namespace's own
 * loopback. That takes nothing of the engine but the network that it gives a container anyway.
 */
export class Services {
  readonly #tools: ServiceTools
  readonly #started: Started[] = []

  constructor(tools: ServiceTools) {
    this.#tools = tools
  }

  /** Starts all of them and waits until they are there. Returns the network for the task, or a sentence. */
  async start(assign: Assign, container: Container): Promise<Network | { problem: string }> {
    const mode = engineNetwork(container.network, this.#tools.defaultNetwork)
    const hosts = container.services.map(({ name }) => `${name}:${loopback}`)
    let network: Network = { mode, hosts }
    const { registryUsername: username, registryPassword: password } = container
    const credentials = username === '' ? undefined : { username, password }
    for (const service of container.services) {
      const problem = await this.#startOne(assign, service, network, credentials)
      if (problem !== undefined) return { problem }
      const [first] = this.#started
      // In the machine's own network there is nothing to join.
      if (first !== undefined && mode !== 'host') network = { mode: `container:${first.id}`, hosts: [] }
    }
    const deadline = this.#tools.time.monotonic() + readyWithinMs
    for (const started of this.#started) {
      const problem = await this.#untilReady(started, deadline)
      if (problem !== undefined) return { problem }
    }
    return network
  }

  /** What they wrote last, for the log of a task that failed. */
  async explain(): Promise<void> {
    const { engine, note } = this.#tools
    for (const { name, id } of this.#started) {
      const lines = await engine.readLogs(id, keptLines).catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error
        return [`(its log cannot be read: ${error.message})`]
      })
      for (const line of lines) note(`${name}: ${line}`)
    }
  }

  async #startOne(
    assign: Assign,
    service: Service,
    network: Network,
    credentials: Credentials | undefined,
  ): Promise<string | undefined> {
    const { engine, signal, runner } = this.#tools
    const image = await ensureImage(this.#tools, service.image, credentials)
    if ('problem' in image) return `The service ${service.name} could not be started. ${image.problem}`
    const { hasHealthCheck } = image
    let id = ''
    await launch(
      engine,
      `The service ${service.name}`,
      (init) => serviceSpec(assign, service, network, runner, init),
      async (created) => {
        id = created
        this.#tools.created(created)
      },
      signal,
    )
    this.#started.push({ name: service.name, id, hasHealthCheck })
    return undefined
  }

  async #untilReady({ name, id, hasHealthCheck }: Started, deadline: number): Promise<string | undefined> {
    const { engine, time, signal } = this.#tools
    for (let waitMs = firstLookMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestPauseMs)) {
      if (hasHealthCheck) await this.#checkHealth(id)
      const { status, exitCode, health } = await engine.inspectContainer(id)
      if (status === 'exited' || status === 'dead' || status === 'stopped') {
        return `The service ${name} ended with exit code ${exitCode ?? 'unknown'} before the task began.`
      }
      if (health === 'unhealthy') return `The service ${name} is not healthy, says the health check of its image.`
      if (status === 'running' && (!hasHealthCheck || health === 'healthy')) return undefined
      if (time.monotonic() > deadline) return `The service ${name} was not ready within ${readyWithinMs / 1000} s.`
      await pause(time, waitMs, signal)
    }
    return undefined
  }

  /** A check that fails is told by the state that it leads to. */
  async #checkHealth(id: string): Promise<void> {
    await this.#tools.engine.checkHealth(id).catch((error: unknown) => {
      if (!(error instanceof EngineError) || error.failure.kind !== 'refused') throw error
    })
  }
}
