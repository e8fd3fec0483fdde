import { create } from '@bufbuild/protobuf'
import { type Container, ContainerLimitsSchema } from '@signalbox/contracts/runner'

/** The limits of one container; each is a number, so that no container is without a limit. */
export interface Limits {
  readonly cpus: number
  readonly memoryMb: number
  readonly pids: number
  readonly shmMb: number
  readonly tmpfsMb: Readonly<Record<string, number>>
  readonly ulimits: Readonly<Record<string, number>>
}

/** The most that the containers of one task have together. */
export interface TaskCeiling {
  readonly cpus: number
  readonly memoryMb: number
  readonly pids: number
}

export interface PlannedLimits {
  readonly task: Limits
  /** In the order of the services. */
  readonly services: readonly Limits[]
  /** The memory that the task and its services may use together. */
  readonly memoryMb: number
}

const USUAL = { servicePids: 1024, taskPids: 4096, serviceMemoryMb: 1024, shmMb: 64 }
const LEAST_MEMORY_MB = 16
const LEAST_PIDS = 16

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/**
 * Shares what a task may use between its container and its services. The document gets the requested limit, or a
 * refusal with a sentence where the limit is above the ceiling. `shareMb` is the memory of a task that asks for none.
 */
export function planLimits(
  { limits, services }: Container,
  ceiling: TaskCeiling,
  shareMb: number,
): PlannedLimits | { problem: string } {
  const all = [limits, ...services.map((service) => service.limits)].map(
    (asked) => asked ?? create(ContainerLimitsSchema),
  )
  const names = ['The task', ...services.map(({ name }) => `The service ${name}`)]
  for (const [at, { cpus }] of all.entries()) {
    if (cpus > ceiling.cpus) return refused(`${names[at]} asks for ${cpus} processors`, ceiling.cpus, '--task-cpus')
  }
  const memoryAsked = all.map(({ memoryMb }) => memoryMb)
  const needMb = wanted(memoryAsked, LEAST_MEMORY_MB)
  const memory = share(memoryAsked, Math.min(ceiling.memoryMb, Math.max(shareMb, needMb)), {
    first: Number.POSITIVE_INFINITY,
    other: USUAL.serviceMemoryMb,
    least: LEAST_MEMORY_MB,
  })
  if (memory === undefined) {
    const what = `The task and its services need ${needMb} MB of memory`
    return refused(what, ceiling.memoryMb, '--task-memory-mb')
  }
  const pidsAsked = all.map((each) => each.pids)
  const pids = share(pidsAsked, ceiling.pids, { first: USUAL.taskPids, other: USUAL.servicePids, least: LEAST_PIDS })
  if (pids === undefined) {
    const what = `The task and its services need ${wanted(pidsAsked, LEAST_PIDS)} processes`
    return refused(what, ceiling.pids, '--task-pids')
  }
  const planned: Limits[] = []
  for (const [at, each] of all.entries()) {
    const memoryMb = memory[at] ?? LEAST_MEMORY_MB
    const shmMb = each.shmMb > 0 ? each.shmMb : Math.min(USUAL.shmMb, memoryMb)
    const inMemory = each.shmMb + sum(Object.values(each.tmpfsMb))
    if (inMemory > memoryMb) {
      return {
        problem: `${names[at]} asks for ${inMemory} MB of /dev/shm and tmpfs, which count as memory, and has ${memoryMb} MB of it: raise resources.memory_mb.`,
      }
    }
    const { tmpfsMb, ulimits } = each
    planned.push({
      cpus: each.cpus > 0 ? each.cpus : ceiling.cpus,
      memoryMb,
      pids: pids[at] ?? LEAST_PIDS,
      shmMb,
      tmpfsMb,
      ulimits,
    })
  }
  const [task, ...others] = planned
  if (task === undefined) throw new Error('a task has a container')
  return { task, services: others, memoryMb: sum(memory) }
}

function refused(what: string, most: number, flag: string): { problem: string } {
  return {
    problem: `${what}, and this runner gives a task ${most} at most: ask for less in resources, or raise ${flag} of the runner.`,
  }
}

/** The least that all of them need. */
function wanted(asks: readonly number[], least: number): number {
  return sum(asks.map((ask) => (ask > 0 ? ask : least)))
}

/**
 * Gives each container the requested amount, and shares the rest between the others. Services get theirs first, up to
 * the usual amount, then the task. Undefined where there is not enough.
 */
function share(
  asks: readonly number[],
  most: number,
  usually: { readonly first: number; readonly other: number; readonly least: number },
): readonly number[] | undefined {
  if (wanted(asks, usually.least) > most) return undefined
  const silent = asks.filter((ask) => ask === 0).length
  const fair = silent === 0 ? 0 : Math.floor((most - sum(asks)) / silent)
  let left = most - sum(asks)
  const given = [...asks]
  for (let at = asks.length - 1; at >= 0; at--) {
    if (asks[at] !== 0) continue
    given[at] = at === 0 ? Math.min(left, usually.first) : Math.min(fair, usually.other)
    left -= given[at] ?? 0
  }
  return given
}
