import { identityRoutes } from '@signalbox/contracts/access/routes'
import { exchange } from './call.ts'
import type { ConnectionStore } from './connection.ts'

/** The page is back within 5 s after the control plane is, the answers that it then asks for included. */
const PAUSE_MS = 2000

async function askWhoIAm(): Promise<unknown> {
  return exchange(identityRoutes.getMe, { isForAnybody: true })
}

/**
 * Asks the control plane while it is away whether it is back: a page that reads nothing and follows nothing would not hear
 * of it, and its buttons are off. Answers how to stop.
 */
export function watchAbsence(connection: ConnectionStore, ask: () => Promise<unknown> = askWhoIAm): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const settle = (): void => {
    if (connection.state.away === undefined) {
      clearTimeout(timer)
      timer = undefined
    } else timer ??= setTimeout(again, PAUSE_MS)
  }
  // The call itself tells the connection what came of it.
  const again = (): void => {
    void ask()
      .catch(() => undefined)
      .finally(() => {
        timer = undefined
        settle()
      })
  }
  const leave = connection.subscribe(settle)
  settle()
  return () => {
    leave()
    clearTimeout(timer)
  }
}
