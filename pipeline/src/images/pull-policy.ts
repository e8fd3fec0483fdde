/** When the registry of an image is asked for it: once in each run, only where the image is missing, or never. */
export const PULL_POLICIES = ['always', 'missing', 'never'] as const
export type PullPolicy = (typeof PULL_POLICIES)[number]

export function isPullPolicy(text: string | undefined): text is PullPolicy {
  return PULL_POLICIES.some((policy) => policy === text)
}
