import type { ImageReference, PullPolicy } from '@signalbox/pipeline/images'
import { formatRepository } from '@signalbox/pipeline/images'
import type { RegistryList } from './registry-list.ts'

/** The images and policies that the operator of this runner allows. */
export interface ImageRules {
  /** Undefined: all. */
  readonly registries: RegistryList | undefined
  /** The first is that of tasks that want none. */
  readonly pullPolicies: readonly [PullPolicy, ...PullPolicy[]]
}

/** Why the runner does not take this image; undefined: it does. */
export function refusal({ registries }: ImageRules, text: string, image: ImageReference): string | undefined {
  if (registries === undefined || registries.allows(image)) return undefined
  return `This runner takes no image ${text}, which is ${formatRepository(image)}: it was started with --registries ${registries.text}. Name an image of those, or let another runner take the task.`
}

/** The policy that a task wants, or the runner's own; a sentence where the runner does not allow it. */
export function choosePolicy({ pullPolicies }: ImageRules, wanted: string): PullPolicy | { problem: string } {
  if (wanted === '') return pullPolicies[0]
  const allowed = pullPolicies.find((policy) => policy === wanted)
  if (allowed !== undefined) return allowed
  return {
    problem: `This runner takes no pull_policy ${wanted}: it was started with --pull-policies ${pullPolicies.join(',')}. Write one of those, or leave it out.`,
  }
}
