import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { AttemptsInHand } from './attempts/attempts-in-hand.ts'
import { strayHunt } from './attempts/stray-hunt.ts'
import { writeGitFiles } from './checkout/git-settings.ts'
import { openLocalFolders } from './checkout/local-repositories.ts'
import { Mirrors } from './checkout/mirrors/mirrors.ts'
import { channelCredentials, readGatewayUrl } from './connection/address.ts'
import { Connection } from './connection/connection.ts'
import { describeError } from './errors.ts'
import { Containers } from './executors/container/containers.ts'
import { KnownImages } from './executors/container/known-images.ts'
import { chooseExecutor, requireBoundary } from './executors/executor-choice.ts'
import { hostExecutor } from './executors/host/host-executor.ts'
import { Folders } from './executors/workspace/folders.ts'
import { OwnedFolders } from './executors/workspace/owned-folders.ts'
import { isShortOfSpace } from './executors/workspace/short-of-space.ts'
import { Trash } from './executors/workspace/trash.ts'
import type { Workspace } from './executors/workspace/workspace.ts'
import { WorkspaceLimits, withWorkspaceLimits } from './executors/workspace/workspace-limits.ts'
import { Workspaces } from './executors/workspace/workspaces.ts'
import { BegunFences } from './identity/begun-fences.ts'
import { cleanUpAfterKilled } from './identity/clean-up.ts'
import { obtainCredential } from './identity/credential.ts'
import { lockWorkDir } from './identity/lock.ts'
import { safeSearchPath } from './identity/search-path.ts'
import { openWorkDir } from './identity/work-dir.ts'
import { LeaseClock } from './lease/lease-clock.ts'
import { watchLeases } from './lease/lease-watch.ts'
import { leaveOnStops } from './leaving.ts'
import type { Log } from './log.ts'
import { openLog } from './log.ts'
import type { RunnerOptions } from './options.ts'
import { DEFAULTS } from './options.ts'
import { isInRange, requireRange } from './processes/accounts/account-range.ts'
import { Accounts } from './processes/accounts/accounts.ts'
import { clearCgroup, openCgroup } from './processes/cgroups/cgroup.ts'
import { closeInheritedDescriptors } from './processes/inherited-descriptors.ts'
import { restrictedView } from './processes/mount-view.ts'
import { noNewPrivileges } from './processes/no-new-privileges.ts'
import { Spawner } from './processes/spawner/spawner.ts'
import { killStrays } from './processes/strays.ts'
import { containerSettings, logLimits, workspaceLimit } from './settings.ts'
import { startingSentences } from './starting-sentences.ts'
import type { StopSource } from './stop-signals.ts'
import { stopSignals } from './stop-signals.ts'
import { repeat, systemTime } from './time/index.ts'
import { Archives } from './transfer/archives.ts'
import { withFiles } from './transfer/with-files.ts'
import { Trees } from './trees/trees.ts'
import { version } from './version.ts'

export { trustAuthorities } from './connection/address.ts'
export { RunnerError } from './errors.ts'
export type { Log } from './log.ts'
export { createLog } from './log.ts'
export type { RunnerOptions } from './options.ts'
export { RUNNER_FLAGS, readOptions } from './options.ts'
export type { StopSource } from './stop-signals.ts'
export { StopButton } from './stop-signals.ts'

/** Parts that a program which embeds a runner may bring along. */
export interface RunnerSurroundings {
  log?: Log | undefined
  /** Where stops come from; default: SIGTERM and SIGINT of this process. */
  stops?: StopSource | undefined
  /** The environment whose PATH and LANG tasks get; default: this process' own. */
  environment?: Readonly<Record<string, string | undefined>> | undefined
}

/** Where root runners of this machine agree on whose accounts are whose; gone with the machine's next start. */
const CLAIMS_FOLDER = '/run/signalbox-accounts'
const STRAY_INTERVAL_MS = 30_000
const TRASH_INTERVAL_MS = 600_000
const NOTHING = { fence: () => false, folder: () => false }

/**
 * Runs one runner until it has drained. The first stop drains: nothing new is taken, attempts in hand are finished.
 * The second one cancels them. Throws a `RunnerError` when it cannot start or is refused for good.
 */
export async function runRunner(options: RunnerOptions, surroundings: RunnerSurroundings = {}): Promise<void> {
  closeInheritedDescriptors()
  const time = systemTime
  const log = surroundings.log ?? openLog(process.stderr.isTTY)
  const environment = surroundings.environment ?? process.env
  const isRoot = process.getuid?.() === 0
  const range = options.taskAccounts ?? DEFAULTS.taskAccounts
  if (isRoot) requireRange(range)
  const address = readGatewayUrl(options.url)
  const credentials = channelCredentials(address, options.caFile)
  const capacity = options.capacity ?? DEFAULTS.capacity()
  const labels = options.labels ?? []

  const workDir = openWorkDir(resolve(options.workDir ?? DEFAULTS.workDir), isRoot ? range.first : undefined)
  using _lock = lockWorkDir(workDir.folder, new Date(time.now()).toISOString())
  using cgroup = (options.cgroups ?? DEFAULTS.cgroups) ? openCgroup(workDir.name) : undefined
  const inCells = cgroup?.folder === undefined ? 0 : clearCgroup(cgroup.folder)
  const strays = inCells + killStrays(workDir.workspaces, NOTHING)

  using stops = (surroundings.stops ?? stopSignals)()
  const runnerName = options.name ?? DEFAULTS.name()
  const enrolment = { address, credentials, url: options.url, token: options.token, name: runnerName, labels, capacity }
  const obtained = await obtainCredential(workDir.folder, enrolment, { time, log, signal: stops.signal })
  const { runnerId, credential } = obtained

  const leases = new LeaseClock()
  const isTaskId = (id: number) => isRoot && isInRange(range, id)
  const named = environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
  const path = isRoot ? safeSearchPath(named, isTaskId) : named
  await using trees = new Trees()
  using trash = new Trash({ folder: workDir.trash, trees, stuck: workspaceStuck })
  await using accounts = isRoot
    ? new Accounts({
        range,
        claims: CLAIMS_FOLDER,
        offset: workDir.number,
        // The spawner is made later than the accounts, and goes before them.
        start: (command, listener) => spawner.start(command, listener),
        freed: (owner) => folders.stockFor(owner),
        trees,
        time,
        log,
      })
    : undefined
  using folders = new Folders({
    root: workDir.workspaces,
    ahead: Math.min(2 * capacity, 128),
    // Each account has its own.
    kept: isRoot ? range.count + Math.min(2 * capacity, 128) : Math.min(2 * capacity, 128),
    monotonic: time.monotonic,
    trees,
    setAside: (folder) => trash.setAside(folder),
  })
  await using workspaces = new Workspaces({
    folders: new OwnedFolders({ folders, accounts, isShortOfSpace }),
    time,
    stuck: workspaceStuck,
  })
  // The spawner started every process in a workspace. When it is gone, all of them must go.
  const view = restrictedView(workDir.workspaces)
  await using spawner = new Spawner({
    log,
    view,
    cgroup: cgroup?.folder,
    broken: () => killStrays(workDir.workspaces, NOTHING),
  })
  const archives = new Archives({
    folder: workDir.transfers,
    workspaces: workDir.workspaces,
    owner: undefined,
    limitBytes: options.archiveLimitBytes ?? DEFAULTS.archiveLimitBytes,
    trees,
  })
  const files = { archives, time }
  const wanted = new Set(options.executors ?? DEFAULTS.executors(isRoot))
  if (options.containerHost === 'none') wanted.delete('container')
  await using mirrors = new Mirrors({
    root: workDir.mirrors,
    limitBytes: options.mirrorLimitBytes ?? DEFAULTS.mirrorLimitBytes,
    takeAccount: accounts && (() => accounts.take()),
    trees,
    stuck: (folder, error) => log.warn('a mirror could not be removed', { folder, reason: describeError(error) }),
  })
  // A task on the host of a runner that is not root could read every mirror, and change it.
  const keepsMirrors = isRoot || !wanted.has('host')
  const workspaceTools = {
    files,
    workspaces,
    trees,
    checkout: {
      start: spawner.start,
      lives: spawner.lives,
      time,
      files: writeGitFiles(`${workDir.tasks}/git`),
      path,
      localFolders: openLocalFolders(options.localRepositories ?? [], isTaskId),
      timeoutMs: 600_000,
      mirrors: keepsMirrors ? { mirrors, root: workDir.mirrors, trees } : undefined,
    },
  }
  const zone = options.taskTimezone === undefined ? {} : { TZ: options.taskTimezone }
  const base = { PATH: path, LANG: environment['LANG'] ?? 'C.UTF-8', ...zone }
  const host = hostExecutor({ ...workspaceTools, start: spawner.start, base, quiet })
  using containers = new Containers({
    ...workspaceTools,
    ...containerSettings(options, capacity),
    time,
    log,
    runner: { runnerId, start: randomUUID() },
    images: new KnownImages(join(workDir.folder, 'open-images')),
    runtimeFolder: environment['XDG_RUNTIME_DIR'],
    base: zone,
    isInHand: (fence) => attempts.fences().some((each) => String(each) === fence),
    changed: () => connection.greetAnew(),
    afterDeath: (command) => spawner.afterDeath(command),
  })
  const inHand = {
    fences: () => attempts.fences(),
    isInUse: (name: string, but: Workspace | undefined) => workspaces.isInUse(name, but),
  }
  const lookForStrays = strayHunt(workDir.workspaces, inHand, log)
  if (isRoot) requireBoundary(wanted, view.held || noNewPrivileges().held)
  const chosen = chooseExecutor({
    ...(wanted.has('host') ? { host } : {}),
    ...(wanted.has('container') ? { container: containers.executor } : {}),
  })
  const limits = new WorkspaceLimits({ trees, time, most: workspaceLimit(options) })
  const executor = withFiles(withWorkspaceLimits(chosen, limits), files)
  using begun = new BegunFences(join(workDir.folder, 'begun'))
  const attempts = new AttemptsInHand({
    begun,
    time,
    log,
    executor,
    spillFolder: workDir.logs,
    logMemory: 2 * 1024 * 1024,
    logLimits: logLimits(options),
    defaultGraceSeconds: options.graceSeconds ?? DEFAULTS.graceSeconds,
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
      keptWorkspaces: () => workspaces.kept(),
      drainAsked: () => {
        log.info('the control plane asks this runner to drain')
        drain()
      },
      drainAdvanced: () => leaveWhenDone(),
      workspaceOver: (kept) => {
        workspaces.over(kept).catch((error: unknown) => workspaceStuck(`of step ${kept.step}`, error))
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
  leaveOnStops(stops, { drain, attempts, log })

  using _leases = watchLeases({
    time,
    log,
    leases,
    attempts,
    connected: () => connection.connected,
    graceMs: (options.offlineGraceSeconds ?? DEFAULTS.offlineGraceSeconds) * 1000,
  })
  using _strays = repeat(time, STRAY_INTERVAL_MS, () => {
    lookForStrays()
    void containers.sweep()
  })
  if (wanted.has('container')) await containers.start()
  const means = { isRoot, executors: wanted, chosen: options.executors !== undefined, cgroup }
  for (const sentence of startingSentences(means)) log.warn(sentence)
  const ofDead = (await accounts?.takeOverFromDead()) ?? 0
  cleanUpAfterKilled(workDir, (leftover) => trash.setAside(leftover), { strays, accounts: ofDead }, log)
  // Tasks do not wait for the removal.
  void trash.empty()
  using _trash = repeat(time, TRASH_INTERVAL_MS, () => void trash.empty())
  folders.stock()

  log.info('runner started', { runner_id: runnerId, url: options.url, capacity, work_dir: workDir.folder })
  try {
    await connection.run()
  } finally {
    attempts.lose(attempts.fences())
    killStrays(workDir.workspaces, NOTHING)
    await containers.sweep()
  }
  log.info('runner left', { runner_id: runnerId })

  /** A cgroup has ended every process already. Otherwise all processes of the account are killed. */
  async function quiet(workspace: Workspace, fence: bigint): Promise<void> {
    if (cgroup?.folder !== undefined) return
    const { owner } = workspace
    if (owner !== undefined) await accounts?.killAll(owner)
    lookForStrays({ fence, workspace })
  }

  function workspaceStuck(folder: string, error: unknown): void {
    log.warn('a workspace could not be removed', { folder, reason: describeError(error) })
  }
}
