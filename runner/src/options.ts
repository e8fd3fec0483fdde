import { readFileSync } from 'node:fs'
import { availableParallelism, hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { describeError, RunnerError } from './errors.ts'
import type { ExecutorName } from './executors/executor-choice.ts'
import { executorNames } from './executors/executor-choice.ts'
import type { Owner } from './processes/running-process.ts'

/** Everything that a runner can be told; only `url` has no default. */
export type RunnerOptions = {
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
  /** Whether repositories on this machine may be checked out; default: only from a control plane on loopback. */
  allowLocalRepositories?: boolean | undefined
  /** Who runs tasks when the runner is root; default 65534. */
  taskOwner?: Owner | undefined
  /** Bytes of one attempt's log that are kept, beside its last lines. Default 64 MiB. */
  logLimitBytes?: number | undefined
  /** Lines of it, as well. Default 1,000,000. */
  logLimitLines?: number | undefined
  /** Bytes that the files of one artifact or cache may have, uncompressed. Default 10 GiB. */
  archiveLimitBytes?: number | undefined
  /** Seconds after which a run's unused workspace is removed although nobody said that the run is over. Default 3600. */
  workspaceIdleSeconds?: number | undefined
  /** Which kinds of tasks run here; default: both, `container` only while an engine answers. */
  executors?: readonly ExecutorName[] | undefined
  /** Address of the container engine, or `none`; default: wherever Podman or Docker usually listens. */
  containerHost?: string | undefined
  /** The engine's network for tasks that ask for the default one. Default: the engine's own default. */
  containerNetwork?: string | undefined
  /** Seconds of silence after which the container engine and what it runs are given up. Default 60. */
  containerPatienceSeconds?: number | undefined
  /** Certificate authorities for the gateway, PEM. */
  caFile?: string | undefined
}

/** The flags of `signalbox-runner` with what they mean; the environment form is `SIGNALBOX_RUNNER_<NAME>`. */
export const runnerFlags = {
  url: 'host:port or https://host:port of the runner gateway',
  'token-file': 'file that holds the one-time enrolment token',
  token: 'the token itself; visible to others in the process list, so prefer SIGNALBOX_RUNNER_TOKEN or --token-file',
  name: 'name of this runner (default: host name)',
  labels: 'labels, separated by commas',
  capacity: 'tasks at once (default: processors)',
  'work-dir': 'credential, workspaces, buffered logs (default: .signalbox-runner)',
  'grace-seconds': 'time between SIGTERM and SIGKILL where the control plane names none (default: 10)',
  'offline-grace': 'seconds tasks go on after their lease while the control plane is away (default: 600)',
  'allow-local-repositories': 'true or false: check out repositories on this machine (default: true on loopback)',
  'task-uid': 'user id that runs tasks when the runner is root (default: 65534)',
  'task-gid': 'group id that runs tasks when the runner is root (default: the user id)',
  'log-limit-mib': 'kept log of one task in MiB, beside its last 1,000 lines (default: 64)',
  'log-limit-lines': 'kept lines of one task, as well (default: 1000000)',
  'archive-limit-mib': 'files of one artifact or cache in MiB, before they are compressed (default: 10240)',
  'workspace-idle': "seconds after which a run's unused workspace goes although nothing ended the run (default: 3600)",
  executors: 'what runs here: host, container or host,container (default: both, containers while an engine answers)',
  'container-host':
    'unix:///path or tcp://host:port of Docker or Podman, or none (default: DOCKER_HOST, else the usual sockets)',
  'container-network': "network for tasks in containers: host, none or a name (default: the engine's own default)",
  'container-patience': 'seconds of silence after which the engine and what it runs are given up (default: 60)',
  'ca-file': 'certificate authorities for the gateway, PEM',
} as const

type Flag = keyof typeof runnerFlags

const isFlag = (name: string): name is Flag => Object.hasOwn(runnerFlags, name)
const flagNames = Object.keys(runnerFlags).filter(isFlag)

const refuse = (message: string): RunnerError => new RunnerError('runner.option_invalid', message)

const wholeNumber = (flag: Flag, text: string | undefined, least: number, most: number): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw refuse(`--${flag} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`)
}

const yesOrNo = (flag: Flag, text: string | undefined): boolean | undefined => {
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  throw refuse(`--${flag} must be true or false, not ${JSON.stringify(text)}.`)
}

const parseFlags = (args: readonly string[]): Readonly<Record<string, unknown>> => {
  const options = Object.fromEntries(flagNames.map((flag) => [flag, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw refuse(describeError(error))
  }
}

/** Reads flags, then the environment (`SIGNALBOX_RUNNER_WORK_DIR` for `--work-dir`). Throws `runner.option_invalid`. */
export const readOptions = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RunnerOptions => {
  const flags = parseFlags(args)
  const given = (flag: Flag): string | undefined => {
    const value = flags[flag]
    if (typeof value === 'string') return value
    const inherited = environment[`SIGNALBOX_RUNNER_${flag.toUpperCase().replaceAll('-', '_')}`]
    return inherited === '' ? undefined : inherited
  }
  const url = given('url')
  if (url === undefined) throw refuse('--url is missing: the address of the runner gateway, such as 127.0.0.1:8081.')
  const uid = wholeNumber('task-uid', given('task-uid'), 1, 2 ** 32 - 2)
  const gid = wholeNumber('task-gid', given('task-gid'), 1, 2 ** 32 - 2) ?? uid
  const mebibytes = wholeNumber('log-limit-mib', given('log-limit-mib'), 1, 65_536)
  const archiveMebibytes = wholeNumber('archive-limit-mib', given('archive-limit-mib'), 1, 1_048_576)
  return {
    url,
    token: given('token') ?? readToken(given('token-file')),
    name: given('name'),
    labels: given('labels')
      ?.split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
    capacity: wholeNumber('capacity', given('capacity'), 1, 1000),
    workDir: given('work-dir'),
    graceSeconds: wholeNumber('grace-seconds', given('grace-seconds'), 1, 86_400),
    offlineGraceSeconds: wholeNumber('offline-grace', given('offline-grace'), 0, 604_800),
    allowLocalRepositories: yesOrNo('allow-local-repositories', given('allow-local-repositories')),
    taskOwner: uid === undefined || gid === undefined ? undefined : { uid, gid },
    logLimitBytes: mebibytes === undefined ? undefined : mebibytes * 1024 * 1024,
    logLimitLines: wholeNumber('log-limit-lines', given('log-limit-lines'), 1, 100_000_000),
    archiveLimitBytes: archiveMebibytes === undefined ? undefined : archiveMebibytes * 1024 * 1024,
    workspaceIdleSeconds: wholeNumber('workspace-idle', given('workspace-idle'), 1, 604_800),
    executors: readExecutors(given('executors')),
    containerHost: given('container-host') ?? (environment['DOCKER_HOST'] || undefined),
    containerNetwork: given('container-network'),
    containerPatienceSeconds: wholeNumber('container-patience', given('container-patience'), 1, 86_400),
    caFile: given('ca-file'),
  }
}

const readExecutors = (text: string | undefined): readonly ExecutorName[] | undefined => {
  if (text === undefined) return undefined
  const wanted = text.split(',').map((name) => name.trim())
  const known = executorNames.filter((name) => wanted.includes(name))
  if (known.length === wanted.length) return known
  throw refuse(`--executors must be host, container or host,container, not ${JSON.stringify(text)}.`)
}

const readToken = (path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw refuse(`--token-file cannot be read: ${describeError(error)}.`)
  }
}

export const defaults = {
  name: (): string => hostname(),
  capacity: (): number => availableParallelism(),
  workDir: '.signalbox-runner',
  graceSeconds: 10,
  offlineGraceSeconds: 600,
  taskOwner: { uid: 65_534, gid: 65_534 },
  logLimitBytes: 64 * 1024 * 1024,
  logLimitLines: 1_000_000,
  archiveLimitBytes: 10 * 1024 ** 3,
  workspaceIdleSeconds: 3600,
  executors: executorNames,
  containerNetwork: 'default',
  containerPatienceSeconds: 60,
} as const
