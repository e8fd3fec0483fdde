import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assign, Container, Service } from '@signalbox/contracts/runner'
import { pause } from '../../time/index.ts'
import type { ImageInUse } from '../executor.ts'
import { type ContainerFacts, hasEnded } from './engine/container-facts.ts'
import { EngineError, isRefusal } from './engine/errors.ts'
import type { ImageTools } from './images.ts'
import { ensureImage } from './images.ts'
import { launch } from './launch.ts'
import type { Limits } from './plan-limits.ts'
import type { Network, RunnerStart } from './specs.ts'
import { hostsFileText, serviceSpec } from './specs.ts'

interface Started {
  readonly name: string
  readonly id: string
  readonly atMs: number
}

export type ServiceTools = ImageTools & {
  runner: RunnerStart
  /** The engine's name for the network that a pipeline wants, which is made where it must be. */
  openNetwork(wanted: string): Promise<string>
  /** Name servers of containers; empty: the engine's own. */
  dns: readonly string[]
  /** The engine is given up. */
  patience: AbortSignal
  /** A container is there and will have to go. */
  created(id: string): void
}

const READY_WITHIN_MS = 120_000
const FIRST_LOOK_MS = 50
const LONGEST_PAUSE_MS = 1000
const KEPT_LINES = 50

/**
 * The containers beside a task. The services and the task share one network namespace, as the containers of a
 * Kubernetes pod do. The first service opens it, the others join it. Each name stands for the loopback of that
 * namespace. The engine needs only the network that the task has anyway.
 */
export class Services {
  readonly #tools: ServiceTools
  readonly #started: Started[] = []
  /** The images of the services. */
  readonly images: ImageInUse[] = []

  constructor(tools: ServiceTools) {
    this.#tools = tools
  }

  /**
   * Starts all of them and waits until they are there. `folder` holds what is mounted. Returns the network for the task,
   * or a sentence.
   */
  async start(
    assign: Assign,
    container: Container,
    limits: readonly Limits[],
    folder: string,
  ): Promise<Network | { problem: string }> {
    const names = container.services.map(({ name }) => name)
    let network = await this.#network(container.network, names, folder)
    for (const [at, service] of container.services.entries()) {
      const own = limits[at]
      if (own === undefined) throw new Error('each service has limits')
      const problem = await this.#startOne(assign, { service, limits: own }, network)
      if (problem !== undefined) return { problem }
      const [first] = this.#started
      if (first !== undefined && network.hostsFile !== undefined)
        network = { ...network, mode: `container:${first.id}` }
    }
    const deadline = this.#tools.time.monotonic() + READY_WITHIN_MS
    for (const started of this.#started) {
      const problem = await this.#untilReady(started, deadline)
      if (problem !== undefined) return { problem }
    }
    return network
  }

  /** A sentence about the first service that ended before the task could begin. */
  async findEnded(): Promise<string | undefined> {
    for (const started of this.#started) {
      const ended = endedSentence(started, await this.#tools.engine.inspectContainer(started.id))
      if (ended !== undefined) return ended
    }
    return undefined
  }

  /** Writes the services' last lines to the log of a task that failed. */
  async explain(): Promise<void> {
    const { engine, note } = this.#tools
    for (const { name, id } of this.#started) {
      const lines = await engine.readLogs(id, KEPT_LINES).catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error
        return [`(its log cannot be read: ${error.message})`]
      })
      for (const line of lines) note(`${name}: ${line}`)
    }
  }

  async #network(wanted: string, names: readonly string[], folder: string): Promise<Network> {
    const mode = await this.#tools.openNetwork(wanted)
    // In the machine's own network there is nothing to join.
    const { dns } = this.#tools
    if (names.length === 0 || mode === 'host') return { mode, names, dns }
    const hostsFile = join(folder, 'hosts')
    writeFileSync(hostsFile, hostsFileText(names), { mode: 0o644, flag: 'wx' })
    return { mode, names, hostsFile, dns }
  }

  async #startOne(
    assign: Assign,
    { service, limits }: { readonly service: Service; readonly limits: Limits },
    network: Network,
  ): Promise<string | undefined> {
    const { engine, time, signal, patience, runner } = this.#tools
    const image = await ensureImage(this.#tools, service.image)
    if ('problem' in image) return `The service ${service.name} could not be started. ${image.problem}`
    let id = ''
    await launch(
      engine,
      {
        what: `The service ${service.name}`,
        makeSpec: (init) => serviceSpec(assign, service, { image: image.id, limits }, { network, runner, init }),
      },
      async (created) => {
        id = created
        this.#tools.created(created)
      },
      { stop: signal, patience },
    )
    this.images.push({ service: service.name, image: service.image, digest: image.digest })
    this.#started.push({ name: service.name, id, atMs: time.monotonic() })
    return undefined
  }

  async #untilReady(started: Started, deadline: number): Promise<string | undefined> {
    const { name, id, atMs } = started
    const { engine, time, signal } = this.#tools
    for (let waitMs = FIRST_LOOK_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_PAUSE_MS)) {
      const facts = await engine.inspectContainer(id)
      const { status, health } = facts
      const ended = endedSentence(started, facts)
      if (ended !== undefined) return ended
      const now = time.monotonic()
      if (health?.status === 'unhealthy' && now - atMs > health.graceMs) {
        return `The service ${name} is not healthy, says the health check of its image.`
      }
      if (status === 'running' && (health === undefined || health.status === 'healthy')) return undefined
      if (now > deadline) return `The service ${name} was not ready within ${READY_WITHIN_MS / 1000} s.`
      await pause(time, waitMs, signal)
      if (health !== undefined) await this.#checkHealth(id)
    }
    return undefined
  }

  /** A check that fails is told by the state that it leads to. */
  async #checkHealth(id: string): Promise<void> {
    await this.#tools.engine.checkHealth(id).catch((error: unknown) => {
      if (!isRefusal(error)) throw error
    })
  }
}

function endedSentence({ name }: Started, facts: ContainerFacts): string | undefined {
  return hasEnded(facts)
    ? `The service ${name} ended with exit code ${facts.exitCode ?? 'unknown'} before the task began.`
    : undefined
}
