import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AttemptsInHand } from './attempts/attempts-in-hand.ts'
import { writeGitFiles } from './checkout/git-settings.ts'
import { channelCredentials, readGatewayUrl } from './connection/address.ts'
import { Connection } from './connection/connection.ts'
import { describeError, RunnerError } from './errors.ts'
import { Containers } from './executors/container/containers.ts'
import { KnownImages } from './executors/container/known-images.ts'
import { chooseExecutor } from './executors/executor-choice.ts'
import { HostExecutor } from './executors/host/host-executor.ts'
import { Folders } from './executors/workspace/folders.ts'
import { Workspaces } from './executors/workspace/workspaces.ts'
import { BegunFences } from './identity/begun-fences.ts'
import type { RunnerCredential } from './identity/credential.ts'
import { enroll, findCredential, storeCredential } from './identity/credential.ts'
import { lockWorkDir } from './identity/lock.ts'
import { openWorkDir, sweepWorkDir } from './identity/work-dir.ts'
import { LeaseClock } from './lease/lease-clock.ts'
import { watchLeases } from './lease/lease-watch.ts'
import type { Log } from './log.ts'
import { createLog } from './log.ts'
import type { RunnerOptions } from './options.ts'
import { defaults } from './options.ts'
import { Spawner } from './processes/spawner/spawner.ts'
import { killStrays } from './processes/strays.ts'
import type { StopSource } from './stop-signals.ts'
import { stopSignals } from './stop-signals.ts'
import { systemTime } from './time/index.ts'
import { Archives } from './transfer/archives.ts'
import { withFiles } from './transfer/with-files.ts'

export { RunnerError } from './errors.ts'
export type { Log } from './log.ts'
export { createLog } from './log.ts'
export type { RunnerOptions } from './options.ts'
export { readOptions, runnerFlags } from './options.ts'
export type { StopSource } from './stop-signals.ts'
export { StopButton } from './stop-signals.ts'

/** What a program that embeds a runner may bring along. */
export type RunnerSurroundings = {
  log?: Log | undefined
  /** Where stops come from; default: SIGTERM and SIGINT of this process. */
  stops?: StopSource | undefined
  /** The environment whose PATH and LANG tasks get; default: this process' own. */
  environment?: Readonly<Record<string, string | undefined>> | undefined
}

const strayIntervalMs = 30_000
const nothing = { fence: () => false, folder: () => false }

/**
 * Runs one runner until it has drained. The first stop drains: nothing new is taken, attempts in hand are finished.
 * The second one cancels them. Throws a `RunnerError` when it cannot start or is refused for good.
 */
export const runRunner = async (options: RunnerOptions, surroundings: RunnerSurroundings = {}): Promise<void> => {
  const time = systemTime
  const log = surroundings.log ?? createLog((line) => process.stderr.write(line))
  const environment = surroundings.environment ?? process.env
  const owner = process.getuid?.() === 0 ? (options.taskOwner ?? defaults.taskOwner) : undefined
  const address = readGatewayUrl(options.url)
  const credentials = channelCredentials(address, options.caFile)
  const capacity = options.capacity ?? defaults.capacity()
  const labels = options.labels ?? []

  const workDir = openWorkDir(resolve(options.workDir ?? defaults.workDir), owner)
  using _lock = lockWorkDir(workDir.folder, new Date(time.now()).toISOString())
  const strays = killStrays(workDir.workspaces, nothing)

  using stops = (surroundings.stops ?? stopSignals)()
  const { runnerId, credential } = await obtainCredential()

  const leases = new LeaseClock()
  const path = environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
  using folders = new Folders(workDir.workspaces, owner, Math.min(2 * capacity, 128), time.monotonic)
  await using workspaces = new Workspaces({
    folders,
    time,
    idleMs: (options.workspaceIdleSeconds ?? defaults.workspaceIdleSeconds) * 1000,
    stuck: workspaceStuck,
  })
  // Whatever lies in a workspace was started by it: without it, all of that is to go.
  await using spawner = new Spawner({ log, broken: () => killStrays(workDir.workspaces, nothing) })
  const archives = new Archives({
    folder: workDir.transfers,
    workspaces: workDir.workspaces,
    owner,
    limitBytes: options.archiveLimitBytes ?? defaults.archiveLimitBytes,
  })
  const files = { archives, time }
  const workspaceTools = {
    files,
    workspaces,
    owner,
    checkout: {
      start: spawner.start,
      time,
      files: writeGitFiles(`${workDir.tasks}/git`),
      path,
      allowLocalRepositories: options.allowLocalRepositories ?? address.loopback,
      timeoutMs: 600_000,
    },
  }
  const base = { PATH: path, LANG: environment['LANG'] ?? 'C.UTF-8' }
  const host = new HostExecutor({ ...workspaceTools, start: spawner.start, base })
  using containers = new Containers({
    ...workspaceTools,
    time,
    log,
    runner: { runnerId, start: randomUUID() },
    images: new KnownImages(join(workDir.folder, 'open-images')),
    host: options.containerHost === 'none' ? undefined : options.containerHost,
    runtimeFolder: environment['XDG_RUNTIME_DIR'],
    defaultNetwork: options.containerNetwork ?? defaults.containerNetwork,
    patienceMs: (options.containerPatienceSeconds ?? defaults.containerPatienceSeconds) * 1000,
    isInHand: (fence) => attempts.fences().some((each) => String(each) === fence),
    changed: () => connection.greetAnew(),
    afterDeath: (command) => spawner.afterDeath(command),
  })
  const wanted = new Set(options.executors ?? defaults.executors)
  if (options.containerHost === 'none') wanted.delete('container')
  const chosen = chooseExecutor({
    ...(wanted.has('host') ? { host } : {}),
    ...(wanted.has('container') ? { container: containers.executor } : {}),
  })
  const executor = withFiles(chosen, files)
  using begun = new BegunFences(join(workDir.folder, 'begun'))
  const attempts = new AttemptsInHand({
    begun,
    time,
    log,
    executor,
    spillFolder: workDir.logs,
    logMemory: 2 * 1024 * 1024,
    logLimits: {
      bytes: options.logLimitBytes ?? defaults.logLimitBytes,
      lines: options.logLimitLines ?? defaults.logLimitLines,
    },
    defaultGraceSeconds: options.graceSeconds ?? defaults.graceSeconds,
    wake: () => connection.wake(),
    gone: (fence) => {
      leases.end(fence)
      leaveWhenDone()
    },
  })
  const connection: Connection = new Connection(
    { address, credentials, credential },
    {
      time,
      log,
      attempts,
      leases,
      version: version(),
      capacity,
      labels,
      executors: () => [...wanted].filter((name) => name === 'host' || containers.available),
      keptRuns: () => workspaces.runs(),
      drainAsked: () => {
        log.info('the control plane asks this runner to drain')
        drain()
      },
      drainAdvanced: () => leaveWhenDone(),
      runOver: (runId) => {
        workspaces.runOver(runId).catch((error: unknown) => workspaceStuck(`of run ${runId}`, error))
      },
    },
  )

  const leaveWhenDone = () => {
    if (connection.finished) connection.close()
  }
  const drain = () => {
    connection.drain()
    leaveWhenDone()
  }
  stops.listen((count) => {
    if (count === 1) {
      log.info('draining: nothing new is taken, tasks in hand are finished', { in_hand: attempts.size })
      drain()
    } else {
      log.info('stopping: tasks in hand are canceled', { in_hand: attempts.size })
      attempts.stopAll('canceled', 'The runner was stopped.')
    }
  })

  using _leases = watchLeases({
    time,
    log,
    leases,
    attempts,
    connected: () => connection.connected,
    graceMs: (options.offlineGraceSeconds ?? defaults.offlineGraceSeconds) * 1000,
  })
  using _strays = repeat(strayIntervalMs, () => {
    const fences = new Set(attempts.fences().map(String))
    const inHand = { fence: (fence: string) => fences.has(fence), folder: (name: string) => workspaces.isInUse(name) }
    const found = killStrays(workDir.workspaces, inHand)
    if (found > 0) log.warn('killed processes that had left their task', { found })
    void containers.sweep()
  })
  if (wanted.has('container')) await containers.start()
  const leftovers = sweepWorkDir(workDir)
  if (strays + leftovers.removed > 0) {
    log.warn('cleaned up after a runner that was killed', { strays, leftovers: leftovers.removed })
  }
  for (const reason of leftovers.stuck) log.warn('something of a former runner could not be removed', { reason })
  folders.stock()

  log.info('runner started', { runner_id: runnerId, url: options.url, capacity, work_dir: workDir.folder })
  try {
    await connection.run()
  } finally {
    attempts.lose(attempts.fences())
    killStrays(workDir.workspaces, nothing)
    await containers.sweep()
  }
  log.info('runner left', { runner_id: runnerId })

  async function obtainCredential(): Promise<RunnerCredential> {
    const stored = findCredential(workDir.folder)
    if (stored !== undefined) return stored
    if (options.token === undefined || options.token === '') {
      throw new RunnerError(
        'runner.token_missing',
        `${workDir.folder} holds no credential yet: give a one-time token by SIGNALBOX_RUNNER_TOKEN or --token-file.`,
      )
    }
    const name = options.name ?? defaults.name()
    const request = { address, credentials, url: options.url, token: options.token, name, labels, capacity }
    const fresh = await enroll(request, time, log, stops.signal)
    storeCredential(workDir.folder, fresh)
    log.info('enrolled', { runner_id: fresh.runnerId, name })
    return fresh
  }

  function workspaceStuck(folder: string, error: unknown): void {
    log.warn('a workspace could not be removed', { folder, reason: describeError(error) })
  }

  function repeat(milliseconds: number, action: () => void): Disposable {
    let timer = time.after(milliseconds, function again() {
      action()
      timer = time.after(milliseconds, again)
    })
    return { [Symbol.dispose]: () => timer.stop() }
  }
}

const version = (): string => {
  const text: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof text === 'object' && text !== null && 'version' in text ? String(text.version) : '0'
}
