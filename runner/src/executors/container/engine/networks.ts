import type { EngineClient } from './engine-client.ts'
import { unless } from './errors.ts'
import { readLabeled } from './read.ts'

export interface NetworkSpec {
  readonly name: string
  /** The network interface on the engine's machine; 15 characters at most. */
  readonly bridge: string
  readonly labels: Readonly<Record<string, string>>
}

/** Podman gives up on a lock late. */
const ANSWER_MS = 30_000

/** The networks of an engine. */
export class EngineNetworks {
  readonly #client: EngineClient
  readonly #engine: 'Docker' | 'Podman'

  constructor(client: EngineClient, engine: 'Docker' | 'Podman') {
    this.#client = client
    this.#engine = engine
  }

  /** Makes a bridge that reaches no bridge of another network. Throws with the engine's own sentence. */
  async create({ name, bridge, labels }: NetworkSpec, signal: AbortSignal): Promise<void> {
    // Docker keeps its bridges apart by itself, Podman only where it is asked to.
    const apart = this.#engine === 'Podman' ? { isolate: 'true' } : {}
    const body = {
      Name: name,
      Driver: 'bridge',
      EnableIPv6: false,
      Labels: labels,
      Options: { 'com.docker.network.bridge.name': bridge, ...apart },
    }
    await this.#client.call('POST', '/networks/create', { body, timeoutMs: ANSWER_MS, signal })
  }

  /** Nothing happens where there is none of this name. Refused while a container is connected to it. */
  async remove(name: string): Promise<void> {
    await this.#client
      .call('DELETE', `/networks/${encodeURIComponent(name)}`, { timeoutMs: ANSWER_MS })
      .catch(unless(404))
  }

  /** Every network with this label. */
  async list(label: string): Promise<{ name: string; labels: unknown }[]> {
    const query = { filters: JSON.stringify({ label: [label] }) }
    const { body } = await this.#client.call('GET', '/networks', { query, timeoutMs: ANSWER_MS })
    return readLabeled(body, 'Name').map(({ key: name, labels }) => ({ name, labels }))
  }
}
