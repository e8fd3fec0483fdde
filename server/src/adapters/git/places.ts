/** A bounded number of places, given to waiting callers in their order of arrival. */
export interface Places {
  /** The holder of a place gives it back once. False: the signal came first. */
  take(signal: AbortSignal): Promise<boolean>
  giveBack(): void
}

export function createPlaces(count: number): Places {
  const waiting = new Set<() => void>()
  let free = count
  return {
    take(signal) {
      if (free > 0) {
        free -= 1
        return Promise.resolve(true)
      }
      if (signal.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const granted = (): void => {
          signal.removeEventListener('abort', over)
          resolve(true)
        }
        const over = (): void => {
          waiting.delete(granted)
          resolve(false)
        }
        waiting.add(granted)
        signal.addEventListener('abort', over, { once: true })
      })
    },
    giveBack() {
      const [next] = waiting
      if (next === undefined) {
        free += 1
        return
      }
      waiting.delete(next)
      next()
    },
  }
}
