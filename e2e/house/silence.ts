import { setTimeout as pause } from 'node:timers/promises'

/** Shows each standstill of a process, or of the whole machine. */
export interface Silence extends AsyncDisposable {
  /** In ms: the longest that one of them has not answered, or that we did not ask. */
  longest(): number
  /** In ms: each that was longer than this. */
  longerThan(ms: number): readonly number[]
}

const PAUSE_MS = 100

/** Asks these control planes all the time whether they live; an ended control plane counts as silent. */
export function watchSilence(urls: readonly string[]): Silence {
  const stopping = new AbortController()
  let longest = 0
  const ended: number[] = []
  const watching = urls.map(async (url) => {
    let heardAt = performance.now()
    while (!stopping.signal.aborted) {
      const heard = await fetch(`${url}/livez`).then(
        async (response) => (await response.arrayBuffer()) && response.ok,
        () => false,
      )
      longest = Math.max(longest, performance.now() - heardAt)
      if (heard) {
        ended.push(performance.now() - heardAt)
        heardAt = performance.now()
      }
      await pause(PAUSE_MS)
    }
  })
  return {
    longest: () => longest,
    longerThan: (ms) => ended.filter((silence) => silence > ms),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(watching)
    },
  }
}
