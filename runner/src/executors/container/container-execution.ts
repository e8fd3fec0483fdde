import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Assign, Container } from '@signalbox/contracts/runner'
import { describeError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Time, Timer } from '../../time/index.ts'
import { pause } from '../../time/index.ts'
import type { FetchedFiles } from '../../transfer/files.ts'
import { nothingFetched } from '../../transfer/files.ts'
import { unusableText } from '../environment.ts'
import type { Execution, ExecutionFiles, ExecutionListener, ProcessEnd } from '../executor.ts'
import { openToContainers } from '../workspace/open-to-containers.ts'
import { outputFileStamp, readOutputFile } from '../workspace/output-file.ts'
import type { WorkspaceTools } from '../workspace/prepare.ts'
import { prepareWorkspace } from '../workspace/prepare.ts'
import { takeOverFiles } from '../workspace/take-over-files.ts'
import type { Workspace } from '../workspace/workspaces.ts'
import { addFirstWords, describeEnd, isRootUser } from './describe-end.ts'
import type { Engine } from './engine/engine.ts'
import { ensureImage } from './images.ts'
import type { KnownImages } from './known-images.ts'
import { hasInit, LaunchError, launch } from './launch.ts'
import { reclaim } from './reclaim.ts'
import { Services } from './services.ts'
import type { Network, RunnerStart, TaskPlace } from './specs.ts'
import { taskSpec } from './specs.ts'

export type ContainerTools = WorkspaceTools & {
  time: Time
  runner: RunnerStart
  images: KnownImages
  /** What the network `default` means on this runner. */
  defaultNetwork: string
  log: Log
}

export type ExecutionTools = ContainerTools & {
  /** Aborted, with a sentence as its reason, when the engine has not answered for too long. */
  engineLost: AbortSignal
}

type ContainerAssign = Assign & { container: Container }

// What a container wrote is still on its way when it has ended; nobody else can write there any more.
const lastOutputMs = 10_000
// An engine that has not killed a container by then does not answer.
const killMs = 30_000

/** One attempt in a container. */
export class ContainerExecution implements Execution {
  readonly #tools: ExecutionTools
  readonly #engine: Engine
  readonly #assign: ContainerAssign
  readonly #listener: ExecutionListener
  readonly #stop = new AbortController()
  /** The engine was asked to kill the task, and did not. */
  readonly #stubborn = new AbortController()
  readonly #containers: string[] = []
  #workspace: Workspace | undefined
  #fetched: FetchedFiles = nothingFetched
  /** The container of the task, once it runs. */
  #task: string | undefined
  #signal: 'SIGTERM' | 'SIGKILL' | undefined
  #killTimer: Timer | undefined
  #output: Duplex | undefined
  #outputEnd: Promise<void> = Promise.resolve()
  #received = 0
  #firstWords = ''
  #held = false

  constructor(tools: ExecutionTools, engine: Engine, assign: ContainerAssign, listener: ExecutionListener) {
    this.#tools = tools
    this.#engine = engine
    this.#assign = assign
    this.#listener = listener
  }

  /** Tells nothing before its first turn is over: the caller has no execution in hand yet. */
  async begin(): Promise<void> {
    const services = new Services({
      ...this.#imageTools(),
      patience: this.#patience(),
      runner: this.#tools.runner,
      defaultNetwork: this.#tools.defaultNetwork,
      created: (id) => this.#containers.push(id),
    })
    let end: ProcessEnd
    try {
      end = await this.#run(services)
    } catch (error) {
      end = await this.#failure(error, services)
    }
    await this.#clear(services, end)
    this.#killTimer?.stop()
    this.#listener.ended(end)
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#signal = name
    this.#stop.abort()
    if (name === 'SIGKILL') this.#killTimer ??= this.#tools.time.after(killMs, () => this.#stubborn.abort())
    if (this.#task !== undefined) void this.#sendSignal(this.#task, name)
  }

  hold(held: boolean): void {
    this.#held = held
    if (held) this.#output?.pause()
    else this.#output?.resume()
  }

  outputStamp(): string {
    return this.#workspace === undefined ? '' : outputFileStamp(this.#workspace.outputFile)
  }

  readOutputs() {
    if (this.#workspace === undefined) return { text: '' }
    return readOutputFile(this.#workspace.outputFile, this.#tools.owner)
  }

  files(): ExecutionFiles | undefined {
    const workspace = this.#workspace
    if (workspace === undefined) return undefined
    const { owner } = this.#tools
    return { directory: workspace.directory, fetched: this.#fetched, takeOver: () => takeOverFiles(workspace, owner) }
  }

  async release(): Promise<void> {
    const workspace = this.#workspace
    if (workspace === undefined) return
    this.#workspace = undefined
    await this.#tools.workspaces.release(workspace)
  }

  #imageTools() {
    const { time, images, engineLost } = this.#tools
    const note = (sentence: string) => this.#listener.note(sentence)
    const signal = AbortSignal.any([this.#stop.signal, engineLost])
    return { engine: this.#engine, time, known: images, runId: this.#assign.runId, note, signal }
  }

  async #run(services: Services): Promise<ProcessEnd> {
    const assign = this.#assign
    const { container } = assign
    const unusable = unusableText(assign.script, assign.environment)
    if (unusable !== undefined) return notStarted(unusable)
    const images = this.#imageTools()
    const prepared = await prepareWorkspace(this.#tools, assign, images.signal, images.note)
    if ('problem' in prepared) return notStarted(prepared.problem)
    const { workspace } = prepared
    this.#workspace = workspace
    this.#fetched = prepared.fetched

    const { registryUsername: username, registryPassword: password } = container
    const image = await ensureImage(images, container.image, username === '' ? undefined : { username, password })
    if ('problem' in image) return notStarted(image.problem)
    const everybody = this.#engine.facts.mapsUsers || !isRootUser(container.user === '' ? image.user : container.user)
    if (this.#tools.owner === undefined) {
      const tools = { engine: this.#engine, time: this.#tools.time, runner: this.#tools.runner }
      workspace.contents.reclaim = () => reclaim(tools, assign, image.id, workspace.directory)
    }
    const exchanged = await openToContainers(workspace, this.#tools.owner, everybody)
    if (exchanged !== undefined) return notStarted(exchanged)
    const scriptFile = join(workspace.folder, 'script')
    writeFileSync(scriptFile, assign.script, { mode: 0o644, flag: 'wx' })

    const network = await services.start(assign, container, workspace.folder)
    if ('problem' in network) return notStarted(network.problem)
    images.signal.throwIfAborted()
    return await this.#runTask({ workspace, scriptFile, image: image.id }, network)
  }

  async #runTask(place: TaskPlace, network: Network): Promise<ProcessEnd> {
    const { container } = this.#assign
    const { time, runner } = this.#tools
    let id = ''
    await launch(
      this.#engine,
      'The container',
      (init) => taskSpec(this.#assign, container, place, network, runner, init),
      async (created) => {
        id = created
        this.#containers.push(created)
        await this.#listen(created)
      },
      { stop: this.#imageTools().signal, patience: this.#patience() },
    )
    this.#task = id
    this.#listener.started(time.now())
    if (this.#signal !== undefined) void this.#sendSignal(id, this.#signal)
    const exitCode = await this.#engine.waitForEnd(id, this.#patience())
    await this.#lastOutput()
    const { outOfMemory } = await this.#engine.inspectContainer(id)
    return describeEnd({
      exitCode,
      outOfMemory,
      memoryMb: container.memoryMb,
      stopped: this.#stop.signal.aborted,
      firstWords: this.#firstWords,
    })
  }

  /** Says when the engine is not waited for any longer. */
  #patience(): AbortSignal {
    return AbortSignal.any([this.#tools.engineLost, this.#stubborn.signal])
  }

  /** Hands on what the container writes. How it ended is told by the engine, when it is asked for that. */
  async #listen(id: string): Promise<void> {
    const take = (channel: 'stdout' | 'stderr', bytes: Buffer) => {
      this.#firstWords = addFirstWords(this.#firstWords, bytes)
      this.#received += bytes.length
      this.#listener.output(channel, bytes)
    }
    const socket = await this.#engine.attach(id, take, this.#stubborn.signal)
    this.#output = socket
    if (this.#held) socket.pause()
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.on('error', () => resolve()).on('close', () => resolve())
    socket.on('end', () => {
      socket.end()
      resolve()
    })
    this.#outputEnd = promise
  }

  /** Waits for the end of the output, unless it is silent for long although it is read. */
  async #lastOutput(): Promise<void> {
    for (let before = -1; this.#held || before !== this.#received; ) {
      before = this.#received
      const stop = new AbortController()
      const silence = pause(this.#tools.time, lastOutputMs, stop.signal).then(() => false)
      const ended = await Promise.race([this.#outputEnd.then(() => true), silence])
      stop.abort()
      if (ended) return
    }
  }

  /** To every process of the task, as on the host: a shell with a trap waits for what it started to end. */
  async #sendSignal(id: string, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const engine = this.#engine
    try {
      if (name === 'SIGTERM') {
        const toAll = await engine.runInContainer(id, ['sh', '-c', 'kill -TERM -1']).then(
          () => true,
          () => false,
        )
        // The first process of a container is not among all of them.
        if (toAll && hasInit(engine)) return
      }
      await engine.killContainer(id, name)
    } catch (error) {
      this.#tools.log.warn('a container could not be signaled', { container: id, reason: describeError(error) })
    }
  }

  async #failure(thrown: unknown, services: Services): Promise<ProcessEnd> {
    const { engineLost } = this.#tools
    const begun = this.#task !== undefined
    if (engineLost.aborted) return failed(begun, String(engineLost.reason))
    if (this.#stubborn.signal.aborted) {
      return failed(
        begun,
        `The container engine at ${this.#engine.address.text} did not answer: the task was not ended.`,
      )
    }
    if (this.#stop.signal.aborted && !begun)
      return failed(begun, 'The task was stopped before its process was started.')
    if (!(thrown instanceof LaunchError)) return failed(begun, `${describeError(thrown)}.`)
    // A task cannot join a network whose holder has ended.
    const ended = await services.findEnded().catch(() => undefined)
    return failed(begun, ended ?? thrown.message)
  }

  /** Whatever cannot be removed now is removed by the next sweep: its fence is not in hand any more. */
  async #clear(services: Services, end: ProcessEnd): Promise<void> {
    this.#output?.destroy()
    if (this.#tools.engineLost.aborted) return
    try {
      if (end.kind !== 'exited' || end.exitCode !== 0) await services.explain()
      await Promise.all(this.#containers.map((id) => this.#kill(id, end)))
      // Last comes the one whose network the others joined.
      for (const id of this.#containers.toReversed()) await this.#engine.removeContainer(id)
    } catch (error) {
      this.#tools.log.warn('containers of an attempt are still to be removed', {
        fence: this.#assign.fence,
        reason: describeError(error),
      })
    }
  }

  async #kill(id: string, end: ProcessEnd): Promise<void> {
    // Podman would ask a service to end, and give it ten seconds.
    if (id !== this.#task || end.kind !== 'exited') await this.#engine.killContainer(id, 'SIGKILL')
  }
}

const notStarted = (reason: string): ProcessEnd => ({ kind: 'not_started', reason })

const failed = (begun: boolean, reason: string): ProcessEnd => ({ kind: begun ? 'broken_off' : 'not_started', reason })
