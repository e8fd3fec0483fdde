import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism, hostname, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { isPullPolicy } from '@signalbox/pipeline/images'
import { describeError, RunnerError } from './errors.ts'
import type { ImageRules } from './executors/container/image-rules.ts'
import type { TaskCeiling } from './executors/container/plan-limits.ts'
import { RegistryList } from './executors/container/registry-list.ts'
import type { ExecutorName } from './executors/executor-choice.ts'
import { EXECUTOR_NAMES } from './executors/executor-choice.ts'
import { FLAG_NAMES, type Flag } from './flags.ts'
import type { AccountRange } from './processes/accounts/account-range.ts'

export { RUNNER_FLAGS } from './flags.ts'

/** Everything that a runner can be told; only `url` has no default. */
export interface RunnerOptions {
  /** `host:port`, `http://host:port` (loopback only) or `https://host:port` of the runner gateway. */
  url: string
  /** One-time enrolment token; needed until a credential is stored in the work-dir. */
  token?: string | undefined
  name?: string | undefined
  labels?: readonly string[] | undefined
  /** Attempts at once; default: processors. */
  capacity?: number | undefined
  /** Default: `.signalbox-runner` in the working directory. */
  workDir?: string | undefined
  /** Seconds between SIGTERM and SIGKILL where the control plane names none. Default 10. */
  graceSeconds?: number | undefined
  /** Seconds that tasks go on beyond the end of their lease while the control plane cannot be reached. Default 600. */
  offlineGraceSeconds?: number | undefined
  /** Absolute folders; none by default. */
  localRepositories?: readonly string[] | undefined
  /** The accounts that tasks run as when the runner is root, one for each run; default: 60706 to 61182. */
  taskAccounts?: AccountRange | undefined
  /** Whether each process of a task gets a cgroup of its own, where cgroup v2 can be used. Default true. */
  cgroups?: boolean | undefined
  /** Bytes of one attempt's log that are kept, beside its last lines. Default 64 MiB. */
  logLimitBytes?: number | undefined
  /** Lines of it, as well. Default 1,000,000. */
  logLimitLines?: number | undefined
  /** Bytes that the files of one artifact or cache may have, uncompressed. Default 10 GiB. */
  archiveLimitBytes?: number | undefined
  /** Bytes that a workspace may take of the disk; 0 for as much as there is. Default 20 GiB. */
  workspaceLimitBytes?: number | undefined
  /** Files and folders of it, as well. Default 1,000,000. */
  workspaceLimitFiles?: number | undefined
  /** Bytes that mirrors of repositories may take of the disk; 0 for none that outlives its checkout. Default 10 GiB. */
  mirrorLimitBytes?: number | undefined
  /**
   * Kinds of tasks that run here. Default: `host` where the runner is root, else both; `container` only while an engine
   * answers.
   */
  executors?: readonly ExecutorName[] | undefined
  /** Address of the container engine, or `none`; default: wherever Podman or Docker usually listens. */
  containerHost?: string | undefined
  /** The engine's network for tasks that ask for the default one. Default: the engine's own default. */
  containerNetwork?: string | undefined
  /** Addresses of the name servers of containers; default: the engine's own. */
  containerDns?: readonly string[] | undefined
  /** Seconds of silence after which the container engine and what it runs are given up. Default 60. */
  containerPatienceSeconds?: number | undefined
  /** Registries whose images tasks may have here; default: all. */
  registries?: RegistryList | undefined
  /** Policies that tasks may want; the first one counts for tasks that want none. Default: all, `always` first. */
  pullPolicies?: ImageRules['pullPolicies'] | undefined
  /** IANA time zone that tasks have as TZ, unless they set it; default: none is set. */
  taskTimezone?: string | undefined
  /** The most that one task in containers has with its services; default: the machine's processors, 7/8 of its memory, 16384 processes. */
  taskCeiling?: TaskCeiling | undefined
  /** MiB that all containers may use together; default: 7/8 of the machine's memory. */
  containersMemoryMb?: number | undefined
  memoryPatienceSeconds?: number | undefined
  /** Certificate authorities for the gateway, PEM. */
  caFile?: string | undefined
}

const MEBIBYTE = 1024 * 1024

function refuse(message: string): RunnerError {
  return new RunnerError('runner.option_invalid', message)
}

function wholeNumber(flag: Flag, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw refuse(`--${flag} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`)
}

function yesOrNo(flag: Flag, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  throw refuse(`--${flag} must be true or false, not ${JSON.stringify(text)}.`)
}

function parseFlags(args: readonly string[]): Readonly<Record<string, unknown>> {
  const options = Object.fromEntries(FLAG_NAMES.map((flag) => [flag, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw refuse(describeError(error))
  }
}

/** Reads flags, then the environment (`SIGNALBOX_RUNNER_WORK_DIR` for `--work-dir`). Throws `runner.option_invalid`. */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RunnerOptions {
  const flags = parseFlags(args)
  const given = (flag: Flag): string | undefined => {
    const value = flags[flag]
    if (typeof value === 'string') return value
    const inherited = environment[`SIGNALBOX_RUNNER_${flag.toUpperCase().replaceAll('-', '_')}`]
    return inherited === '' ? undefined : inherited
  }
  const url = given('url')
  if (url === undefined) throw refuse('--url is missing: the address of the runner gateway, such as 127.0.0.1:8081.')
  const number = (flag: Flag, least: number, most: number) => wholeNumber(flag, given(flag), least, most)
  const mebibytes = (flag: Flag, least: number, most: number) => {
    const value = number(flag, least, most)
    return value === undefined ? undefined : value * MEBIBYTE
  }
  return {
    url,
    token: given('token') ?? readToken(given('token-file')),
    name: given('name'),
    labels: readWords(given('labels')),
    capacity: number('capacity', 1, 1000),
    workDir: given('work-dir'),
    graceSeconds: number('grace-seconds', 1, 86_400),
    offlineGraceSeconds: number('offline-grace', 0, 604_800),
    localRepositories: readWords(given('local-repositories')),
    taskAccounts: {
      first: number('task-uid', 1, 2 ** 31) ?? DEFAULTS.taskAccounts.first,
      count: number('task-uids', 2, 65_536) ?? DEFAULTS.taskAccounts.count,
    },
    cgroups: yesOrNo('cgroups', given('cgroups')),
    logLimitBytes: mebibytes('log-limit-mib', 1, 65_536),
    logLimitLines: number('log-limit-lines', 1, 100_000_000),
    archiveLimitBytes: mebibytes('archive-limit-mib', 1, 1_048_576),
    workspaceLimitBytes: mebibytes('workspace-limit-mib', 0, 2 ** 30),
    workspaceLimitFiles: number('workspace-limit-files', 0, 2 ** 31),
    mirrorLimitBytes: mebibytes('mirror-limit-mib', 0, 2 ** 30),
    executors: readExecutors(given('executors')),
    containerHost: given('container-host') ?? (environment['DOCKER_HOST'] || undefined),
    containerNetwork: given('container-network'),
    containerPatienceSeconds: number('container-patience', 1, 86_400),
    registries: readRegistries(given('registries')),
    taskTimezone: readTimezone(given('task-timezone')),
    containerDns: readAddresses(given('container-dns')),
    taskCeiling: readCeiling(number),
    memoryPatienceSeconds: number('memory-patience', 1, 604_800),
    containersMemoryMb: number('containers-memory-mb', 16, 16_777_216),
    pullPolicies: readPullPolicies(given('pull-policies')),
    caFile: given('ca-file'),
  }
}

function readWords(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function readExecutors(text: string | undefined): readonly ExecutorName[] | undefined {
  if (text === undefined) return undefined
  const wanted = text.split(',').map((name) => name.trim())
  const known = EXECUTOR_NAMES.filter((name) => wanted.includes(name))
  if (known.length === wanted.length) return known
  throw refuse(`--executors must be host, container or host,container, not ${JSON.stringify(text)}.`)
}

function readRegistries(text: string | undefined): RegistryList | undefined {
  if (text === undefined) return undefined
  const list = RegistryList.read(text)
  if ('problem' in list) throw refuse(`--registries: ${list.problem}`)
  return list
}

function readPullPolicies(text: string | undefined): ImageRules['pullPolicies'] | undefined {
  if (text === undefined) return undefined
  const wanted = [...new Set(text.split(',').map((name) => name.trim()))]
  const [first, ...others] = wanted.filter(isPullPolicy)
  if (first !== undefined && others.length + 1 === wanted.length) return [first, ...others]
  throw refuse(`--pull-policies must be some of always, missing and never, not ${JSON.stringify(text)}.`)
}

function readToken(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw refuse(`--token-file cannot be read: ${describeError(error)}.`)
  }
}

/** An eighth stays for the machine; where the runner is limited itself, its limit counts. */
function mostMemoryMb(): number {
  const limit = process.constrainedMemory()
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.floor((bytes / 1024 ** 2) * (7 / 8))
}

function readAddresses(text: string | undefined): readonly string[] | undefined {
  const addresses = readWords(text)
  const wrong = addresses?.find((address) => isIP(address) === 0)
  if (wrong === undefined) return addresses
  throw refuse(`--container-dns must be addresses such as 10.0.0.2,2001:db8::1, not ${JSON.stringify(wrong)}.`)
}

function readTimezone(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    new Intl.DateTimeFormat('en', { timeZone: text }).format(0)
    return text
  } catch {
    throw refuse(`--task-timezone must be a time zone such as Europe/Berlin or UTC, not ${JSON.stringify(text)}.`)
  }
}

function readCeiling(number: (flag: Flag, least: number, most: number) => number | undefined): TaskCeiling | undefined {
  const cpus = number('task-cpus', 1, 1024)
  const memoryMb = number('task-memory-mb', 16, 16_777_216)
  const pids = number('task-pids', 16, 4_194_304)
  if (cpus === undefined && memoryMb === undefined && pids === undefined) return undefined
  const usual = DEFAULTS.taskCeiling()
  return { cpus: cpus ?? usual.cpus, memoryMb: memoryMb ?? usual.memoryMb, pids: pids ?? usual.pids }
}

export const DEFAULTS = {
  name: (): string => hostname(),
  capacity: (): number => availableParallelism(),
  workDir: '.signalbox-runner',
  graceSeconds: 10,
  offlineGraceSeconds: 600,
  // Unused by Debian's policy and by systemd, and there in a user namespace of 65,536.
  taskAccounts: { first: 60_706, count: 477 },
  cgroups: true,
  logLimitBytes: 64 * MEBIBYTE,
  logLimitLines: 1_000_000,
  archiveLimitBytes: 10 * 1024 ** 3,
  workspaceLimitBytes: 20 * 1024 ** 3,
  workspaceLimitFiles: 1_000_000,
  mirrorLimitBytes: 10 * 1024 ** 3,
  /** Not both as root: what root in a container leaves behind would lie where tasks on the host work. */
  executors: (isRoot: boolean): readonly ExecutorName[] => (isRoot ? ['host'] : EXECUTOR_NAMES),
  containerNetwork: 'default',
  containerPatienceSeconds: 60,
  taskCeiling: (): TaskCeiling => ({ cpus: availableParallelism(), memoryMb: mostMemoryMb(), pids: 16_384 }),
  containersMemoryMb: mostMemoryMb,
  memoryPatienceSeconds: 3600,
  pullPolicies: ['always', 'missing', 'never'],
} as const
