import { connection } from './connection.ts'
import { sleep } from './sleep.ts'

/** A call that hangs keeps nobody signed in: after so long it is left to itself. */
const PATIENCE_MS = 2000

const underWay = new Set<Promise<unknown>>()
let leaving: PromiseWithResolvers<void> | undefined

/** Sends a call, once nobody is signing out. */
export async function inTurn<T>(send: () => Promise<T>): Promise<T> {
  await leaving?.promise
  const sent = send()
  underWay.add(sent)
  try {
    return await sent
  } finally {
    underWay.delete(sent)
  }
}

/**
 * Carries out what ends the session. Calls that are under way are answered before, and later ones wait: none is refused
 * because its session just ended. They go on where signing out failed, and the page hears again when its session ends;
 * otherwise the page is loaded anew.
 */
export async function atLast<T>(end: () => Promise<T>): Promise<T> {
  leaving ??= Promise.withResolvers()
  const gate = leaving
  connection.leaving(true)
  try {
    await Promise.race([Promise.allSettled(underWay), sleep(PATIENCE_MS)])
    return await end()
  } catch (error) {
    leaving = undefined
    connection.leaving(false)
    gate.resolve()
    throw error
  }
}
