import type { ImageFacts } from './engine/engine.ts'

/** The registry of an image by its name, as Docker reads it. */
export const registryOf = (image: string): string => {
  const slash = image.indexOf('/')
  const first = image.slice(0, Math.max(0, slash))
  return first.includes('.') || first.includes(':') || first === 'localhost' ? first : 'docker.io'
}

/** Whether a name means the same content for ever. */
export const isPinned = (image: string): boolean => /@sha256:[0-9a-f]{64}$/.test(image)

/**
 * Whether an image was made on this machine, so that no registry can be asked for it: by its name, or because Docker knows
 * of no registry that it came from. Podman names one for every image whose name has one. An image without any name is one
 * whose tag has moved on.
 */
export const isOfThisMachine = (image: string, { tags, digests }: ImageFacts): boolean =>
  registryOf(image) === 'localhost' ||
  (tags.length > 0 && [...tags, ...digests].every((name) => registryOf(name) === 'localhost')) ||
  (tags.length > 0 && digests.length === 0)
