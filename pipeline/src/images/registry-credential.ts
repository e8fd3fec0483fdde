import { findRegistryFault, normalRegistry, parseImageReference, THIS_MACHINE } from './image-reference.ts'

/** A stored secret, and the host of its one registry; null: the registry of all images of the task. */
export interface RegistryCredential {
  readonly registry: string | null
  /** `<team path>/<name>`; its value is `user:password`. */
  readonly secret: string
}

export interface BoundCredential extends RegistryCredential {
  readonly registry: string
}

/** Why a credential cannot be for this registry, with what to write instead; undefined: it can. */
export function findCredentialFault(registry: string): string | undefined {
  const fault = findRegistryFault(registry)
  if (fault !== undefined) return `names no registry: ${fault}`
  if (registry === THIS_MACHINE) return 'is the machine of the runner, which takes no password: leave it out'
  const normal = normalRegistry(registry)
  return normal === registry ? undefined : `is named ${normal}: write that`
}

/**
 * The credentials that a task with these images gets: of each registry that has one of them, and of no other. A
 * credential without a registry must have one clear receiver; otherwise a sentence replaces it.
 */
export function bindCredentials(
  credentials: readonly RegistryCredential[],
  images: readonly string[],
): readonly BoundCredential[] | { readonly problem: string } {
  const registries = registriesOf(images)
  const bound: BoundCredential[] = []
  for (const { registry, secret } of credentials) {
    if (registry !== null) {
      if (registries.includes(registry)) bound.push({ registry, secret })
      continue
    }
    const [only, second] = registries
    if (second !== undefined) return { problem: doubt(registries, secret) }
    if (only !== undefined) bound.push({ registry: only, secret })
  }
  return bound
}

function doubt(registries: readonly string[], secret: string): string {
  const examples = registries.map((registry) => `{ ${registry}: ${secret} }`).join(' or ')
  return `does not say for which registry it is, and the images of the task come from ${registries.join(' and ')}: write ${examples}`
}

function registriesOf(images: readonly string[]): readonly string[] {
  const found = images.flatMap((text) => {
    const image = parseImageReference(text)
    return 'problem' in image || image.registry === THIS_MACHINE ? [] : [image.registry]
  })
  return [...new Set(found)]
}
