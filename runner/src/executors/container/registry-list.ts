import type { ImageReference } from '@signalbox/pipeline/images'
import { findRegistryFault, formatRepository, normalRegistry, parseImageReference } from '@signalbox/pipeline/images'

/** Registries, folders of them (`ghcr.io/acme/*`) and single images (`ghcr.io/acme/web`) that a runner may use. */
export class RegistryList {
  readonly #entries: readonly string[]

  private constructor(entries: readonly string[]) {
    this.#entries = entries
  }

  /** Returns a sentence where an entry means nothing. */
  static read(text: string): RegistryList | { problem: string } {
    const entries: string[] = []
    for (const entry of text.split(',').map((each) => each.trim())) {
      const read = readEntry(entry)
      if (typeof read !== 'string') return read
      entries.push(read)
    }
    return new RegistryList(entries)
  }

  get text(): string {
    return this.#entries.join(', ')
  }

  allows(image: ImageReference): boolean {
    const name = formatRepository(image)
    return this.#entries.some((entry) => {
      if (!entry.includes('/')) return entry === image.registry
      return entry.endsWith('/*') ? name.startsWith(entry.slice(0, -1)) : name === entry
    })
  }
}

function readEntry(entry: string): string | { problem: string } {
  const slash = entry.indexOf('/')
  const registry = slash === -1 ? entry : entry.slice(0, slash)
  const fault = findRegistryFault(registry)
  if (fault !== undefined) return { problem: `${JSON.stringify(entry)} names no registry: ${fault}` }
  if (slash === -1) return normalRegistry(registry)
  const path = entry.slice(slash + 1).replace(/\/\*$/, '')
  if (path === '*') return normalRegistry(registry)
  // One path has the same form as the other, and neither a tag nor a digest.
  const image = parseImageReference(`${registry}/x/${path}`)
  if ('problem' in image || image.digest !== null || path.includes(':')) {
    return { problem: `${JSON.stringify(entry)} must be a registry, with a path or a path and /* behind it.` }
  }
  return `${normalRegistry(registry)}/${entry.slice(slash + 1)}`
}
