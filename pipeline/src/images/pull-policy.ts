/** When the registry of an image is asked for it: once in each run, only where the image is missing, or never. */
export const pullPolicies = ['always', 'missing', 'never'] as const
export type PullPolicy = (typeof pullPolicies)[number]

export function isPullPolicy(text: string | undefined): text is PullPolicy {
  return pullPolicies.some((policy) => policy === text)
}
