import type { CommandFailed } from '../errors.ts'
import type { Surroundings } from '../surroundings.ts'
import type { Product } from './product.ts'

const BROKEN_GRACE_MS = 2000

export interface Serving<Started extends Product> {
  start(signal: AbortSignal): Promise<Started>
  /**
   * Once it is up; the signal tells of Ctrl-C. Processes that it starts must end by themselves when the product stops.
   * When it answers false, serving ends.
   */
  serving(product: Started, signal: AbortSignal): Promise<boolean | void>
  tell(line: string): void
}

/**
 * Starts a product and keeps it until Ctrl-C or until a part of it breaks; answers why it broke, or undefined.
 * The first Ctrl-C lets tasks in hand finish, the second cancels them, the third kills.
 */
export async function keepServing<Started extends Product>(
  surroundings: Surroundings,
  { start, serving, tell }: Serving<Started>,
): Promise<CommandFailed | undefined> {
  const interrupted = new AbortController()
  // Empty until it has started.
  const products: Product[] = []
  using _interrupts = surroundings.onInterrupt((count) => {
    interrupted.abort()
    if (count === 1) tell('Stopping: tasks in hand are finished first. Ctrl-C again cancels them.')
    for (const started of products) {
      if (count === 2) started.hurry()
      else if (count > 2) started.kill()
    }
  })
  const product = await start(interrupted.signal)
  products.push(product)
  const asked = new Promise<undefined>((resolve) => {
    if (interrupted.signal.aborted) resolve(undefined)
    interrupted.signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const broken = product.broken
  let brokenBy: CommandFailed | undefined
  try {
    const work = serving(product, interrupted.signal).then((goOn) =>
      goOn === false ? undefined : Promise.race([broken, asked]),
    )
    brokenBy = await Promise.race([work, broken, asked])
  } finally {
    // A runner without its control plane could deliver nothing, and would wait for it.
    const late = brokenBy === undefined ? undefined : setTimeout(() => product.kill(), BROKEN_GRACE_MS)
    await product.stop()
    clearTimeout(late)
  }
  return brokenBy
}
