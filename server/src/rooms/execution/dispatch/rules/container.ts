import { create } from '@bufbuild/protobuf'
import { type Container, ContainerSchema } from '@signalbox/contracts/runner'
import type { GraphLimits, GraphStep, GraphTask } from '@signalbox/pipeline/graph'
import { parseImageReference, type RegistryCredential } from '@signalbox/pipeline/images'
import type { RunInFlight } from '#rooms/execution/runs'
import { imageOf, imagesOf } from './judged.ts'
import type { Placement } from './placement.ts'

/** The login of one registry. */
export interface RegistryLogin {
  readonly registry: string
  readonly username: string
  readonly password: string
}

/** The images of a task, and what its document has for their registries. */
export interface RegistryUse {
  readonly images: readonly string[]
  readonly credentials: readonly RegistryCredential[]
}

/** A sentence where one of its images has no name that can be one: a profile may be older than what is refused now. */
export function registryUseOf(
  run: RunInFlight,
  step: GraphStep,
  task: GraphTask,
): RegistryUse | { readonly impossible: string } {
  const images = imagesOf(run, step, task)
  for (const text of images) {
    const image = parseImageReference(text)
    if ('problem' in image) return { impossible: `The image ${JSON.stringify(text)} ${image.problem}.` }
  }
  return { images, credentials: task.container?.registryCredentials ?? [] }
}

/** The container of a task: what its profile has, and what the task itself says instead. Undefined: it runs on the host. */
export function containerOf(
  run: RunInFlight,
  { step, task }: { readonly step: GraphStep; readonly task: GraphTask },
  { resources }: Placement,
  logins: readonly RegistryLogin[],
): Container | undefined {
  const image = imageOf(run, step, task)
  if (image === null) return undefined
  const own = task.container
  return create(ContainerSchema, {
    image,
    user: own?.user ?? '',
    network: own?.network ?? 'default',
    readOnly: own?.readOnly ?? false,
    limits: limitsOf(own?.limits, resources),
    registryLogins: logins.map((login) => ({ ...login })),
    pullPolicy: own?.pullPolicy ?? '',
    services: (own?.services ?? []).map(({ name, image: of, env, command, limits }) => ({
      name,
      image: of,
      environment: { ...env },
      command: [...command],
      limits: limitsOf(limits, {}),
    })),
  })
}

/** On the wire 0 stands for what nobody says; the runner has its own then. */
function limitsOf(own: GraphLimits | undefined, profile: Placement['resources']) {
  return {
    cpus: own?.cpus ?? profile.cpus ?? 0,
    memoryMb: own?.memoryMb ?? profile.memory_mb ?? 0,
    pids: own?.pids ?? 0,
    shmMb: own?.shmMb ?? 0,
    tmpfsMb: { ...own?.tmpfsMb },
    ulimits: { ...own?.ulimits },
  }
}
