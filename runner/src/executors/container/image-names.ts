import type { ImageReference } from '@signalbox/pipeline/images'
import { parseImageReference, THIS_MACHINE } from '@signalbox/pipeline/images'
import type { ImageFacts } from './engine/engine.ts'

/** Whether a name means the same content for ever. */
export function isPinned({ digest }: ImageReference): boolean {
  return digest !== null
}

/**
 * Whether an image that the engine found has this very name. Engines look a digest up among all that they hold,
 * whatever name stands before it. An image that somebody else pulled with a password must not be had by another name.
 */
export function carriesName(image: ImageReference, { tags, digests }: ImageFacts): boolean {
  return [...tags, ...digests].some((name) => {
    const other = parseImageReference(name)
    if ('problem' in other || !isSameRepository(image, other)) return false
    return image.digest === null ? other.tag === image.tag : other.digest === image.digest
  })
}

/**
 * Whether an image was made on this machine, so that no registry can be asked for it. The name says so, or Docker knows
 * no registry that the image came from. Podman names one for every image whose name has one. An image without any name
 * has lost its tag to a newer one.
 */
export function isOfThisMachine({ registry }: ImageReference, { tags, digests }: ImageFacts): boolean {
  return registry === THIS_MACHINE || (tags.length > 0 && digests.length === 0)
}

/** The digest by which its registry has an image; of one of the machine, which no registry has, its id. */
export function digestOf(image: ImageReference, facts: ImageFacts): string {
  const id = facts.id.includes(':') ? facts.id : `sha256:${facts.id}`
  if (isOfThisMachine(image, facts)) return id
  const known = facts.digests.flatMap((name) => {
    const other = parseImageReference(name)
    return !('problem' in other) && isSameRepository(image, other) && other.digest !== null ? [other.digest] : []
  })
  const [first] = known
  return image.digest !== null && known.includes(image.digest) ? image.digest : (first ?? id)
}

function isSameRepository(one: ImageReference, other: ImageReference): boolean {
  return one.registry === other.registry && one.repository === other.repository
}
