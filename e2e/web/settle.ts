import type { Page, Request } from 'playwright-core'

/** Streams last as long as the page does. */
const LASTING = /\/v1\/live|\/logs\/(stream|follow)|\/events$/

/** Two frames, an idle moment and two more: an answer, or a part of the page that came, may lead to the next question. */
const DRAWN = `new Promise((done) => {
  const twoFrames = (then) => requestAnimationFrame(() => requestAnimationFrame(then))
  twoFrames(() => requestIdleCallback(() => twoFrames(done), { timeout: 1000 }))
})`

/** Answers a wait for the moment at which the page has every answer that it asked for, and has drawn it. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let wake = (): void => undefined
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource' && !LASTING.test(new URL(request.url()).pathname)) open.add(request)
  })
  const ended = (request: Request): void => {
    open.delete(request)
    if (open.size === 0) wake()
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)

  return async () => {
    do {
      if (open.size > 0) await new Promise<void>((resolve) => (wake = resolve))
      await page.evaluate(DRAWN)
    } while (open.size > 0)
  }
}
