import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assign, Container } from '@signalbox/contracts/runner'
import { describeError } from '../../errors.ts'
import type { ProcessEnd } from '../../processes/running-process.ts'
import { notStarted } from '../../processes/running-process.ts'
import type { Timer } from '../../time/index.ts'
import { unusableText } from '../environment.ts'
import type { Execution, ExecutionListener } from '../executor.ts'
import type { AttemptWorkspace } from '../workspace/attempt-workspace.ts'
import { openToContainers } from '../workspace/open-to-containers.ts'
import { stripRights } from '../workspace/take-over-files.ts'
import { AttemptNetwork } from './attempt-network.ts'
import { ContainerOutput } from './container-output.ts'
import type { ExecutionTools } from './container-tools.ts'
import { describeEnd, isRootUser } from './describe-end.ts'
import { isRefusal } from './engine/errors.ts'
import { ensureImage } from './images.ts'
import { judgeFailure } from './judge-failure.ts'
import { hasInit, launch } from './launch.ts'
import { takeMemory } from './memory-wait.ts'
import type { Limits } from './plan-limits.ts'
import { planLimits } from './plan-limits.ts'
import { reclaim } from './reclaim.ts'
import { Services } from './services.ts'
import type { Network, TaskPlace } from './specs.ts'
import { taskSpec } from './specs.ts'

type ContainerAssign = Assign & { container: Container }

// An engine that has not killed a container by then does not answer.
const KILL_MS = 30_000

/** One attempt in a container. */
export class ContainerExecution implements Execution {
  readonly #tools: ExecutionTools
  readonly #assign: ContainerAssign
  readonly #listener: ExecutionListener
  readonly #stop = new AbortController()
  /** The engine was asked to kill the task, and did not. */
  readonly #stubborn = new AbortController()
  readonly #containers: string[] = []
  readonly #network: AttemptNetwork
  readonly workspace: AttemptWorkspace
  /** The container of the task, once it runs. */
  #task: string | undefined
  #signal: 'SIGTERM' | 'SIGKILL' | undefined
  #killTimer: Timer | undefined
  readonly #output: ContainerOutput
  #memory: Disposable | undefined
  #limits: Limits | undefined

  constructor(
    tools: ExecutionTools,
    assign: ContainerAssign,
    listener: ExecutionListener,
    workspace: AttemptWorkspace,
  ) {
    this.#tools = tools
    this.workspace = workspace
    this.#assign = assign
    this.#listener = listener
    this.#output = new ContainerOutput(tools.time, listener)
    this.#network = new AttemptNetwork(tools)
  }

  /** Tells nothing before its first turn is over: the caller has no execution in hand yet. */
  async begin(): Promise<void> {
    const images = this.#imageTools()
    const services = new Services({
      ...images,
      patience: this.#patience(),
      runner: this.#tools.runner,
      dns: this.#tools.dns,
      openNetwork: (wanted) => this.#network.open(this.#assign, wanted, images.signal),
      created: (id) => this.#containers.push(id),
    })
    let end: ProcessEnd
    try {
      end = await this.#run(services)
    } catch (error) {
      const progress = {
        begun: this.#task !== undefined,
        // The engine starts a container only after it has said that it made it.
        untouched: this.#containers.length === 0,
        stopped: this.#stop.signal.aborted,
        stubborn: this.#stubborn.signal.aborted,
        folder: this.workspace.opened?.folder ?? this.#tools.workspaces.root,
      }
      end = await judgeFailure(error, progress, this.#tools, services)
    }
    end = await this.#clear(services, end)
    if (this.workspace.opened !== undefined) await stripRights(this.#tools, this.workspace.opened)
    this.#killTimer?.stop()
    this.#memory?.[Symbol.dispose]()
    this.#listener.ended(end)
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#signal = name
    this.#stop.abort()
    if (name === 'SIGKILL') this.#killTimer ??= this.#tools.time.after(KILL_MS, () => this.#stubborn.abort())
    if (this.#task !== undefined) void this.#sendSignal(this.#task, name)
  }

  pause(paused: boolean): void {
    this.#output.pause(paused)
  }

  #imageTools() {
    const { engine, time, images, imageRules, engineLost } = this.#tools
    const { registryLogins: logins, pullPolicy } = this.#assign.container
    const note = (sentence: string) => this.#listener.note(sentence)
    const signal = AbortSignal.any([this.#stop.signal, engineLost])
    const asked = { runId: this.#assign.runId, logins, pullPolicy }
    return { engine, time, known: images, rules: imageRules, ...asked, note, signal }
  }

  async #run(services: Services): Promise<ProcessEnd> {
    const assign = this.#assign
    const { container } = assign
    const unusable = unusableText(assign.script, assign.environment)
    if (unusable !== undefined) return notStarted(unusable)
    const { ceiling, shareMb } = this.#tools
    const limits = planLimits(container, ceiling, shareMb)
    if ('problem' in limits) return notStarted(limits.problem)
    this.#limits = limits.task
    const images = this.#imageTools()
    const memory = await takeMemory(this.#tools, limits.memoryMb, this.#listener, images.signal)
    images.signal.throwIfAborted()
    if (typeof memory === 'string') return { kind: 'not_begun', reason: memory }
    this.#memory = memory
    const workspace = await this.workspace.open(this.#tools, assign, images.signal, this.#listener)
    if ('end' in workspace) return workspace.end

    const image = await ensureImage(images, container.image)
    if ('problem' in image) return notStarted(image.problem)
    const everybody =
      this.#tools.engine.facts.mapsUsers || !isRootUser(container.user === '' ? image.user : container.user)
    if (workspace.owner === undefined) {
      workspace.contents.reclaim = () => reclaim(this.#tools, assign, image.id, workspace.directory)
    }
    const exchanged = await openToContainers(this.#tools.trees, workspace, everybody)
    if (exchanged !== undefined) return notStarted(exchanged)
    const scriptFile = join(workspace.folder, 'script')
    writeFileSync(scriptFile, assign.script, { mode: 0o644, flag: 'wx' })

    const network = await services.start(assign, container, limits.services, workspace.folder)
    if ('problem' in network) return notStarted(network.problem)
    images.signal.throwIfAborted()
    const own = { service: '', image: container.image, digest: image.digest }
    this.#listener.images([own, ...services.images])
    return await this.#runTask(
      { workspace, scriptFile, image: image.id, limits: limits.task, base: this.#tools.base },
      network,
    )
  }

  async #runTask(place: TaskPlace, network: Network): Promise<ProcessEnd> {
    const { container } = this.#assign
    const { time, runner } = this.#tools
    let id = ''
    await launch(
      this.#tools.engine,
      {
        what: 'The container',
        makeSpec: (init) => taskSpec(this.#assign, container, place, { network, runner, init }),
      },
      async (created) => {
        id = created
        this.#containers.push(created)
        await this.#output.listen(this.#tools.engine, created, this.#stubborn.signal)
      },
      { stop: this.#imageTools().signal, patience: this.#patience() },
    )
    this.#task = id
    await this.#network.check(id)
    this.#listener.started(time.now())
    if (this.#signal !== undefined) void this.#sendSignal(id, this.#signal)
    const waited = await this.#tools.engine.waitForEnd(id, this.#patience()).catch((error: unknown) => {
      // Somebody removed it.
      if (isRefusal(error, 404)) return { exitCode: -1, error: undefined }
      throw error
    })
    await this.#output.last()
    return describeEnd({
      waited,
      facts: await this.#tools.engine.findContainer(id),
      memoryMb: this.#limits?.memoryMb ?? 0,
      stopped: this.#stop.signal.aborted,
      firstWords: this.#output.firstWords,
    })
  }

  /** Says when the engine is not waited for any longer. */
  #patience(): AbortSignal {
    return AbortSignal.any([this.#tools.engineLost, this.#stubborn.signal])
  }

  /** Signals every process of the task, as on the host: a shell with a trap waits for its children to end. */
  async #sendSignal(id: string, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const engine = this.#tools.engine
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

  /**
   * The next sweep removes what cannot be removed now, because its fence is not in hand any more. The answered end is
   * no loss where something may still run: another attempt would run beside it.
   */
  async #clear(services: Services, end: ProcessEnd): Promise<ProcessEnd> {
    this.#output.close()
    if (this.#tools.engineLost.aborted) return end
    const cleared = await this.#removeContainers(services, end)
    await this.#network.close().catch((error: unknown) => {
      this.#tools.log.warn('the network of an attempt is still to be removed', {
        fence: this.#assign.fence,
        reason: describeError(error),
      })
    })
    return cleared
  }

  async #removeContainers(services: Services, end: ProcessEnd): Promise<ProcessEnd> {
    try {
      if (end.kind !== 'exited' || end.exitCode !== 0) await services.explain()
      await Promise.all(this.#containers.map((id) => this.#kill(id, end)))
      // Last comes the one whose network the others joined.
      for (const id of this.#containers.toReversed()) await this.#tools.engine.removeContainer(id)
      return end
    } catch (error) {
      this.#tools.log.warn('containers of an attempt are still to be removed', {
        fence: this.#assign.fence,
        reason: describeError(error),
      })
      if (end.kind !== 'broken_off' || this.#containers.length === 0) return end
      return { kind: 'failed', reason: `${end.reason} Its container could not be removed, so it is not tried again.` }
    }
  }

  async #kill(id: string, end: ProcessEnd): Promise<void> {
    // Podman would ask a service to end, and give it ten seconds.
    if (id !== this.#task || end.kind !== 'exited') await this.#tools.engine.killContainer(id, 'SIGKILL')
  }
}
