import { Buffer } from 'node:buffer'
import type { Duplex } from 'node:stream'
import { describeError } from '../../../errors.ts'
import type { Time } from '../../../time/index.ts'
import type { EngineAddress } from './address.ts'
import type { ContainerFacts } from './container-facts.ts'
import { readContainerFacts } from './container-facts.ts'
import { Demultiplexer } from './demultiplex.ts'
import { EngineClient } from './engine-client.ts'
import { EngineError, isRefusal, unless } from './errors.ts'
import { EngineNetworks } from './networks.ts'
import { at, listAt, numberAt, parseJson, readLabeled, textAt } from './read.ts'

/** Facts that an engine gives about itself. */
export interface EngineFacts {
  name: 'Docker' | 'Podman'
  version: string
  /** Users of containers are other users on the machine: root in there is not root out here. */
  mapsUsers: boolean
  /** Limits that the engine cannot set on this machine, by the names of its settings. */
  unlimited: readonly string[]
}

export interface ImageFacts {
  id: string
  user: string
  /** The image's names with tags. */
  tags: readonly string[]
  /** The image's names with digests, under which a registry has the image or would have it. */
  digests: readonly string[]
}

export interface Credentials {
  username: string
  password: string
}

/** The parts of `POST /containers/create` that are used here. */
export interface ContainerSpec {
  readonly Image: string
  readonly Labels: Readonly<Record<string, string>>
  readonly Env: readonly string[]
  readonly Entrypoint?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly User?: string
  readonly WorkingDir?: string
  readonly AttachStdout?: boolean
  readonly AttachStderr?: boolean
  readonly HostConfig: Readonly<Record<string, unknown>>
}

/** Limits that depend on the machine's cgroups. An engine that says it cannot set one refuses a container with it. */
const LIMIT_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  MemoryLimit: ['Memory', 'MemorySwap'],
  CpuCfsQuota: ['NanoCpus'],
  PidsLimit: ['PidsLimit'],
}

// A start may take long on a slow disk; a stop breaks off the wait by its signal.
const QUICK_MS = 30_000
const SLOW_MS = 300_000

/** How long a greeted engine may take for its first answer, and then to tell its facts. */
export interface ReachPatience {
  readonly pingMs: number
  readonly factsMs: number
}

/** The few calls of the Docker Engine API that running tasks takes; Podman answers them too. */
export class Engine {
  readonly facts: EngineFacts
  readonly networks: EngineNetworks
  readonly #client: EngineClient

  private constructor(client: EngineClient, facts: EngineFacts) {
    this.#client = client
    this.facts = facts
    this.networks = new EngineNetworks(client, facts.name)
  }

  get address(): EngineAddress {
    return this.#client.address
  }

  /** Greets the engine at this address. Throws an `EngineError` when nobody answers in time. */
  static async reach(address: EngineAddress, time: Time, patience: ReachPatience): Promise<Engine> {
    const anyVersion = new EngineClient(address, time)
    const { headers } = await anyVersion.call('GET', '/_ping', { timeoutMs: patience.pingMs })
    const spoken = headers['api-version']
    const client = new EngineClient(address, time, typeof spoken === 'string' ? spoken : '')
    const [version, info] = await Promise.all(
      ['/version', '/info'].map(async (path) => {
        const { body } = await client.call('GET', path, { timeoutMs: patience.factsMs })
        return parseJson(body)
      }),
    )
    const podman = listAt(version, 'Components').find((each) => textAt(each, 'Name') === 'Podman Engine')
    const options = listAt(info, 'SecurityOptions').map(String)
    return new Engine(client, {
      name: podman === undefined ? 'Docker' : 'Podman',
      version: textAt(podman ?? version, 'Version') ?? '',
      mapsUsers: options.some((option) => /^name=(userns|rootless)/.test(option)),
      unlimited: Object.entries(LIMIT_SETTINGS).flatMap(([fact, settings]) =>
        at(info, fact) === false ? settings : [],
      ),
    })
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.#client.call('GET', '/_ping', { timeoutMs })
  }

  /** The facts of an image that is here; undefined when it is not. */
  async findImage(name: string, signal: AbortSignal): Promise<ImageFacts | undefined> {
    try {
      const { body } = await this.#client.call('GET', `/images/${encodeImage(name)}/json`, {
        timeoutMs: QUICK_MS,
        signal,
      })
      const image = parseJson(body)
      return {
        id: textAt(image, 'Id') ?? '',
        user: textAt(image, 'Config', 'User') ?? '',
        tags: listAt(image, 'RepoTags').map(String),
        digests: listAt(image, 'RepoDigests').map(String),
      }
    } catch (error) {
      if (isRefusal(error, 404)) return undefined
      throw error
    }
  }

  /** Fetches an image by its full name; `progress` is told each message. Throws with the registry's own words. */
  async pullImage(
    name: string,
    credentials: Credentials | undefined,
    progress: (message: unknown) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const headers =
      credentials === undefined
        ? {}
        : { 'X-Registry-Auth': registryAuth(this.facts.name, registryOf(name), credentials) }
    let failure: string | undefined
    for await (const line of this.#client.lines('POST', '/images/create', {
      query: pullQuery(name),
      headers,
      signal,
    })) {
      const told = parseJson(line)
      failure = textAt(told, 'error') ?? textAt(told, 'errorDetail', 'message') ?? failure
      progress(told)
    }
    if (failure !== undefined) throw new EngineError({ kind: 'refused', status: 500 }, failure.replace(/[.\s]+$/, ''))
  }

  /** Returns its id. */
  async createContainer(spec: ContainerSpec, signal: AbortSignal): Promise<string> {
    const { unlimited } = this.facts
    const HostConfig = Object.fromEntries(Object.entries(spec.HostConfig).filter(([name]) => !unlimited.includes(name)))
    const call = { body: { ...spec, HostConfig }, timeoutMs: SLOW_MS, signal }
    const id = textAt(parseJson((await this.#client.call('POST', '/containers/create', call)).body), 'Id')
    if (id === undefined) throw new EngineError({ kind: 'refused', status: 500 }, 'it gave the container no id')
    return id
  }

  /** The output of the container from now on, until it has ended. */
  async attach(
    id: string,
    take: (channel: 'stdout' | 'stderr', bytes: Buffer) => void,
    signal: AbortSignal,
  ): Promise<Duplex> {
    const query = { stream: '1', stdout: '1', stderr: '1' }
    const { socket, head } = await this.#client.hijack(`/containers/${id}/attach`, { query, signal })
    const demultiplexer = new Demultiplexer(take)
    if (head.length > 0) demultiplexer.push(head)
    socket.on('data', (bytes: Buffer) => demultiplexer.push(bytes))
    return socket
  }

  async startContainer(id: string, signal: AbortSignal): Promise<void> {
    await this.#client.call('POST', `/containers/${id}/start`, { timeoutMs: SLOW_MS, signal })
  }

  /**
   * Resolves when the container has ended, or the engine cannot say any more whether it has, however long that takes. Only
   * an answer without `error` tells the exit code: beside an error, Podman answers 0 while the container still runs.
   */
  async waitForEnd(id: string, signal: AbortSignal): Promise<{ exitCode: number; error: string | undefined }> {
    const answer = parseJson((await this.#client.call('POST', `/containers/${id}/wait`, { signal })).body)
    const exitCode = numberAt(answer, 'StatusCode')
    if (exitCode === undefined) throw new EngineError({ kind: 'refused', status: 500 }, 'it did not say how it ended')
    const error = at(answer, 'Error')
    if (error === undefined || error === null) return { exitCode, error: undefined }
    return { exitCode, error: textAt(error, 'Message') ?? 'it gave no reason' }
  }

  async inspectContainer(id: string): Promise<ContainerFacts> {
    const { body } = await this.#client.call('GET', `/containers/${id}/json`, { timeoutMs: QUICK_MS })
    return readContainerFacts(parseJson(body))
  }

  /** The facts of a container; undefined when none has this id. */
  async findContainer(id: string): Promise<ContainerFacts | undefined> {
    return await this.inspectContainer(id).catch(unless(404))
  }

  /** Looks after the health of a container where the engine does not by itself. */
  async checkHealth(id: string): Promise<void> {
    // Podman leaves that to systemd, which is not everywhere.
    if (this.facts.name !== 'Podman') return
    await this.#client.call('GET', `/libpod/containers/${id}/healthcheck`, { timeoutMs: QUICK_MS })
  }

  /** Runs a command in a container, as root, and does not wait for it. */
  async runInContainer(id: string, command: readonly string[]): Promise<void> {
    const create = { body: { Cmd: command, User: '0' }, timeoutMs: QUICK_MS }
    const exec = textAt(parseJson((await this.#client.call('POST', `/containers/${id}/exec`, create)).body), 'Id')
    await this.#client.call('POST', `/exec/${exec}/start`, { body: { Detach: true }, timeoutMs: QUICK_MS })
  }

  /** Nothing happens where it does not run. */
  async killContainer(id: string, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#client
      .call('POST', `/containers/${id}/kill`, { query: { signal: name }, timeoutMs: QUICK_MS })
      .catch((error: unknown) => {
        // Podman calls it its own failure.
        if (!isRefusal(error, 404, 409) && !/only kill running|not running/i.test(describeError(error))) throw error
      })
  }

  /** Ends and removes a container with its own volumes; nothing happens where there is none. */
  async removeContainer(id: string): Promise<void> {
    await this.#client
      .call('DELETE', `/containers/${id}`, { query: { force: '1', v: '1' }, timeoutMs: QUICK_MS })
      .catch(unless(404, 409))
  }

  /** The last lines that a container wrote. */
  async readLogs(id: string, lines: number): Promise<string[]> {
    const query = { stdout: '1', stderr: '1', tail: String(lines) }
    const message = await this.#client.stream('GET', `/containers/${id}/logs`, { query })
    let text = ''
    const demultiplexer = new Demultiplexer((_channel, bytes) => {
      text += bytes.toString('utf8')
    })
    for await (const part of message) demultiplexer.push(part)
    return text.split('\n').filter((line) => line !== '')
  }

  /** Every container with this label, running or not. */
  async listContainers(label: string): Promise<{ id: string; labels: unknown }[]> {
    const query = { all: '1', filters: JSON.stringify({ label: [label] }) }
    const { body } = await this.#client.call('GET', '/containers/json', { query, timeoutMs: QUICK_MS })
    return readLabeled(body, 'Id').map(({ key: id, labels }) => ({ id, labels }))
  }
}

/** Without a tag an engine would fetch all there are. */
function pullQuery(name: string): { fromImage: string; tag: string } {
  const [, fromImage = name, tag = 'latest'] = /^(.+?)(?:@(sha\d+:.+)|:([^/:]+))?$/.exec(name)?.filter(Boolean) ?? []
  return { fromImage, tag }
}

/** Slashes and colons are part of a name. */
function encodeImage(name: string): string {
  return encodeURIComponent(name).replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%40', '@')
}

function registryOf(name: string): string {
  return name.slice(0, name.indexOf('/'))
}

/**
 * Docker takes one password, for the image that is asked for. Podman would give such a one to every host that it asks,
 * mirrors included, but takes passwords by host as well. The alphabet is that for addresses, with its padding, which
 * engines insist on.
 */
function registryAuth(engine: EngineFacts['name'], registry: string, { username, password }: Credentials): string {
  const one = { username, password, serveraddress: registry }
  const told = engine === 'Podman' ? { [registry]: one } : one
  return Buffer.from(JSON.stringify(told)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}
