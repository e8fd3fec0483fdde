import type { Assign, Container, Service } from '@signalbox/contracts/runner'
import { taskEnvironment } from '../environment.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { ContainerSpec } from './engine/engine.ts'
import type { Limits } from './plan-limits.ts'

/** The places of a task's own files in a container. */
export const IN_CONTAINER = {
  workspace: '/workspace',
  script: '/signalbox/script',
  outputFile: '/signalbox/output',
} as const

export const LABEL_NAMES = {
  runner: 'signalbox.runner',
  /** One start of that runner, from its beginning to its end. */
  start: 'signalbox.start',
  run: 'signalbox.run',
  attempt: 'signalbox.attempt',
  fence: 'signalbox.fence',
} as const

/** A runner, and which of its starts. */
export interface RunnerStart {
  readonly runnerId: string
  readonly start: string
}

/** By these a container is found again, whatever became of the runner that started it. */
export function labelsOf(assign: Assign, { runnerId, start }: RunnerStart): Record<string, string> {
  return {
    [LABEL_NAMES.runner]: runnerId,
    [LABEL_NAMES.start]: start,
    [LABEL_NAMES.run]: assign.runId,
    [LABEL_NAMES.attempt]: assign.attemptId,
    [LABEL_NAMES.fence]: String(assign.fence),
  }
}

// Package managers and servers need these to change users and to own files. Raw sockets and devices are left out.
const CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETUID',
  'SYS_CHROOT',
]
const MEBIBYTE = 1024 * 1024

function size(mebibytes: number): string {
  return `rw,mode=1777,size=${mebibytes}m`
}

function limitsConfig({ cpus, memoryMb, pids, shmMb, tmpfsMb, ulimits }: Limits, ownTmp: boolean) {
  const folders = { ...(ownTmp ? { '/tmp': memoryMb } : {}), ...tmpfsMb }
  return {
    NanoCpus: Math.round(cpus * 1e9),
    Memory: memoryMb * MEBIBYTE,
    // A swap limit equal to the memory means no swap.
    MemorySwap: memoryMb * MEBIBYTE,
    PidsLimit: pids,
    ShmSize: shmMb * MEBIBYTE,
    Ulimits: Object.entries(ulimits).map(([Name, value]) => ({ Name, Soft: value, Hard: value })),
    Tmpfs: Object.fromEntries(Object.entries(folders).map(([path, mebibytes]) => [path, size(mebibytes)])),
  }
}

function hostConfig(network: Network, init: boolean) {
  return {
    NetworkMode: network.mode,
    ...(network.names.length === 0 || network.hostsFile !== undefined
      ? {}
      : { ExtraHosts: network.names.map((name) => `${name}:${LOOPBACK}`) }),
    // A container that joins a network, has none or shares the machine's has its name servers as well.
    ...(network.dns.length === 0 || /^(none|host|container:.*)$/.test(network.mode) ? {} : { Dns: [...network.dns] }),
    Init: init,
    CapDrop: ['ALL'],
    CapAdd: CAPABILITIES,
    SecurityOpt: ['no-new-privileges'],
  }
}

function environmentList(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`)
}

/**
 * `mode` is the engine's; `names` stand for the loopback. Podman gives a container that joins a network neither the
 * /etc/hosts of the other container nor own entries. So one file serves all of them.
 */
export interface Network {
  readonly mode: string
  readonly names: readonly string[]
  readonly hostsFile?: string
  /** Name servers; empty: the engine's own. */
  readonly dns: readonly string[]
}

const LOOPBACK = '127.0.0.1'

/** The /etc/hosts of containers that share a network namespace. */
export function hostsFileText(names: readonly string[]): string {
  return [`${LOOPBACK} localhost`, '::1 localhost', ...names.map((name) => `${LOOPBACK} ${name}`), ''].join('\n')
}

function hostsMount({ hostsFile }: Network): string[] {
  return hostsFile === undefined ? [] : [`${hostsFile}:/etc/hosts:ro,z`]
}

/** `image` is the id of the checked image: the meaning of its name may change at any time. */
export interface TaskPlace {
  readonly workspace: Workspace
  readonly scriptFile: string
  readonly image: string
  readonly limits: Limits
  /** The beginning of the task's environment. */
  readonly base: Readonly<Record<string, string>>
}

/** The parts that every container of one attempt has. */
export interface Surroundings {
  readonly network: Network
  readonly runner: RunnerStart
  /** Whether an init process is the first of the container. */
  readonly init: boolean
}

export function taskSpec(
  assign: Assign,
  container: Container,
  { workspace, scriptFile, image, limits, base }: TaskPlace,
  { network, runner, init }: Surroundings,
): ContainerSpec {
  const paths = { directory: IN_CONTAINER.workspace, outputFile: IN_CONTAINER.outputFile }
  return {
    Image: image,
    Labels: labelsOf(assign, runner),
    Env: environmentList(taskEnvironment(assign, paths, base)),
    Entrypoint: ['sh'],
    Cmd: ['-e', IN_CONTAINER.script],
    WorkingDir: IN_CONTAINER.workspace,
    AttachStdout: true,
    AttachStderr: true,
    ...(container.user === '' ? {} : { User: container.user }),
    HostConfig: {
      ...hostConfig(network, init),
      // The z is for machines with SELinux, where a container sees nothing that is not labelled for it.
      Binds: [
        `${workspace.directory}:${IN_CONTAINER.workspace}:rw,z`,
        `${scriptFile}:${IN_CONTAINER.script}:ro,z`,
        `${workspace.outputFile}:${IN_CONTAINER.outputFile}:rw,z`,
        ...hostsMount(network),
      ],
      // The runner reads the output as it comes, so that nothing piles up at the engine.
      LogConfig: { Type: 'none', Config: {} },
      ...limitsConfig(limits, container.readOnly),
      ...(container.readOnly ? { ReadonlyRootfs: true } : {}),
    },
  }
}

export function serviceSpec(
  assign: Assign,
  service: Service,
  { image, limits }: { readonly image: string; readonly limits: Limits },
  { network, runner, init }: Surroundings,
): ContainerSpec {
  return {
    Image: image,
    Labels: labelsOf(assign, runner),
    Env: environmentList(service.environment),
    ...(service.command.length === 0 ? {} : { Cmd: [...service.command] }),
    HostConfig: {
      ...hostConfig(network, init),
      ...limitsConfig(limits, false),
      Binds: hostsMount(network),
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m' } },
    },
  }
}
