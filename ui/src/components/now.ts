import { useEffect, useState, useSyncExternalStore } from 'react'

const TICK_MS = 5000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer serves the whole page; it rests while nothing on the page depends on the time. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Read several times while something is drawn, the time must not move on. */
const STEADY_MS = 1000
let current = new Date()

function steadyNow(): Date {
  const now = new Date()
  if (Math.abs(now.getTime() - current.getTime()) > STEADY_MS) current = now
  return current
}

function neverTick(): () => void {
  return () => undefined
}

/** A text that depends on the time now. It is looked at every 5 s, and drawn again only when it has changed. */
export function useTextNow(textAt: (now: Date) => string, isTicking = true): string {
  return useSyncExternalStore(isTicking ? subscribe : neverTick, () => textAt(steadyNow()))
}

/** The time now, and again every 5 s. */
export function useNow(isTicking = true): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => (isTicking ? subscribe(() => setNow(new Date())) : undefined), [isTicking])
  return now
}
