import { github } from './github/index.ts'
import type { Forge } from './port.ts'

/** Every provider that this server can receive deliveries from; one folder beside this file each. */
export const FORGES: readonly Forge[] = [github]

/** The forge of a source's `provider`, or undefined when it is none that this server knows. */
export function findForge(id: string): Forge | undefined {
  return FORGES.find((forge) => forge.id === id)
}
