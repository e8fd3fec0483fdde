import type { Engine } from './engine/engine.ts'
import { EngineError } from './engine/errors.ts'
import { textAt } from './engine/read.ts'
import { labelNames } from './specs.ts'

const mostPasses = 3

/**
 * Removes the containers with this label whose attempt is not in hand: left by a former life of the runner, or by an
 * engine that did not answer when they were to go. Returns how many there were. Throws an `EngineError`.
 */
export const sweepContainers = async (
  engine: Engine,
  label: string,
  inHand: (fence: string) => boolean,
): Promise<number> => {
  let found = 0
  for (let pass = 1; ; pass++) {
    const ours = await engine.listContainers(label)
    const orphans = ours.filter(({ labels }) => !inHand(textAt(labels, labelNames.fence) ?? ''))
    found ||= orphans.length
    if (orphans.length === 0) return found
    await Promise.all(orphans.map(({ id }) => engine.killContainer(id, 'SIGKILL')))
    for (const { id } of orphans) {
      await engine.removeContainer(id).catch((error: unknown) => {
        // One whose network others joined goes after them, and engines list in no order.
        if (pass === mostPasses || !(error instanceof EngineError) || error.failure.kind !== 'refused') throw error
      })
    }
    if (pass === mostPasses) return found
  }
}
