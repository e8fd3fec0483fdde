import type { Engine } from './engine/engine.ts'
import { type EngineError, isRefusal } from './engine/errors.ts'
import { textAt } from './engine/read.ts'
import { LABEL_NAMES } from './specs.ts'

const MOST_PASSES = 3

type InHand = (fence: string) => boolean

/**
 * Removes the containers and networks with this label whose attempt is not in hand. A former start of the runner left
 * them, or the engine did not answer when they were to go. Returns how many containers there were. Throws an
 * `EngineError`.
 */
export async function sweepEngine(engine: Engine, label: string, inHand: InHand): Promise<number> {
  const found = await sweepContainers(engine, label, inHand)
  await sweepNetworks(engine, label, inHand)
  return found
}

async function sweepNetworks({ networks }: Engine, label: string, inHand: InHand): Promise<void> {
  let failure: EngineError | undefined
  for (const { name, labels } of await networks.list(label)) {
    if (inHand(textAt(labels, LABEL_NAMES.fence) ?? '')) continue
    await networks.remove(name).catch((error: unknown) => {
      // Somebody may have connected a container of their own; the others can go all the same.
      if (!isRefusal(error)) throw error
      failure = error
    })
  }
  if (failure !== undefined) throw failure
}

async function sweepContainers(engine: Engine, label: string, inHand: InHand): Promise<number> {
  let found = 0
  for (let pass = 1; ; pass++) {
    const ours = await engine.listContainers(label)
    const orphans = ours.filter(({ labels }) => !inHand(textAt(labels, LABEL_NAMES.fence) ?? ''))
    found ||= orphans.length
    if (orphans.length === 0) return found
    await Promise.all(orphans.map(({ id }) => engine.killContainer(id, 'SIGKILL')))
    for (const { id } of orphans) {
      await engine.removeContainer(id).catch((error: unknown) => {
        // One whose network others joined goes after them, and engines list in no order.
        if (pass === MOST_PASSES || !isRefusal(error)) throw error
      })
    }
    if (pass === MOST_PASSES) return found
  }
}
