import { sleep } from './sleep.ts'

/** A page that waits longer shows its frame, and says that it reads. */
const PATIENCE_MS = 150

let isOpening = true

/**
 * Lets the first frame of the page wait for what it shows, where that comes soon: to draw the page without it and then
 * again takes longer. Pages that are gone to later show at once what they have.
 */
export async function withFirstFrame(read: Promise<unknown>): Promise<void> {
  if (!isOpening) return
  isOpening = false
  await Promise.race([read, sleep(PATIENCE_MS)])
}
