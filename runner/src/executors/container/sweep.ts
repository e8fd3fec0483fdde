import type { Engine } from './engine/engine.ts'
import { textAt } from './engine/read.ts'
import { labelNames } from './specs.ts'

/**
 * Removes the containers with this label whose attempt is not in hand: left by a former life of the runner, or by an
 * engine that did not answer when they were to go. Returns how many there were. Throws an `EngineError`.
 */
export const sweepContainers = async (
  engine: Engine,
  label: string,
  inHand: (fence: string) => boolean,
): Promise<number> => {
  const ours = await engine.listContainers(label)
  const orphans = ours.filter(({ labels }) => !inHand(textAt(labels, labelNames.fence) ?? ''))
  await Promise.all(orphans.map(({ id }) => engine.killContainer(id, 'SIGKILL')))
  // Engines list the newest first, and one that others joined is the oldest of them.
  for (const { id } of orphans) await engine.removeContainer(id)
  return orphans.length
}
