import { create } from '@bufbuild/protobuf'
import { type Container, ContainerSchema } from '@signalbox/contracts/runner'
import type { GraphStep, GraphTask } from '@signalbox/pipeline/graph'
import type { RunInFlight } from '#rooms/execution/runs'
import { imageOf } from './judged.ts'
import type { Placement } from './placement.ts'

export interface RegistryLogin {
  readonly username: string
  readonly password: string
}

/** The container of a task: what its profile has, and what the task itself says instead. Undefined: it runs on the host. */
export function containerOf(
  run: RunInFlight,
  step: GraphStep,
  task: GraphTask,
  { resources }: Placement,
  login: RegistryLogin | undefined,
): Container | undefined {
  const image = imageOf(run, step, task)
  if (image === null) return undefined
  const own = task.container
  return create(ContainerSchema, {
    image,
    user: own?.user ?? '',
    network: own?.network ?? 'default',
    readOnly: own?.readOnly ?? false,
    cpus: own?.cpus ?? resources.cpus ?? 0,
    memoryMb: own?.memoryMb ?? resources.memoryMb ?? 0,
    registryUsername: login?.username ?? '',
    registryPassword: login?.password ?? '',
    services: (own?.services ?? []).map(({ name, image: of, env, command }) => ({
      name,
      image: of,
      environment: { ...env },
      command: [...command],
    })),
  })
}
