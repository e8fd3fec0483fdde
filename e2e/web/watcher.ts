import type { Page } from 'playwright-core'

/** Sees what a person would not, and what no page may have. */
export interface Watcher {
  /** What may happen in this test, such as the 401 of a session that has ended. */
  expect(pattern: RegExp): void
  /** What happened and was not expected. */
  faults(): readonly string[]
  /** Begins anew: what happened until now is told, or belongs to another page, and what was expected is no more. */
  forget(): void
}

/** Words of the browser about an answer, which the watcher has seen itself, with its method and path. */
const ABOUT_AN_ANSWER = /^Failed to load resource: /
/** A request that nobody waits for any more: the page went on. */
const GIVEN_UP = 'net::ERR_ABORTED'

/** Watches the console, errors, refusals of the policy, and every request of the page. */
export async function watch(page: Page): Promise<Watcher> {
  const seen: string[] = []
  const expected: RegExp[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (/^(error|warning)$/.test(message.type()) && !ABOUT_AN_ANSWER.test(text)) {
      seen.push(`console ${message.type()}: ${text}`)
    }
  })
  page.on('pageerror', (error) => seen.push(`error: ${error.stack ?? error.message}`))
  page.on('response', (response) => {
    if (response.status() < 400) return
    seen.push(`answer: ${response.request().method()} ${pathOf(response.url())} ${response.status()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    if (reason !== GIVEN_UP) seen.push(`request: ${request.method()} ${pathOf(request.url())} ${reason}`)
  })
  // A binding is not subject to the policy of the page, and outlives each of its documents.
  await page.exposeBinding('tellRefusal', (_source, text: unknown) => seen.push(`policy: ${String(text)}`))
  await page.addInitScript(TELL_REFUSALS)
  return {
    expect: (pattern) => void expected.push(pattern),
    faults: () => [...new Set(seen)].filter((fault) => !expected.some((pattern) => pattern.test(fault))),
    forget() {
      seen.splice(0)
      expected.splice(0)
    },
  }
}

const TELL_REFUSALS = `document.addEventListener('securitypolicyviolation', (event) => {
  tellRefusal(event.effectiveDirective + ' refused ' + event.blockedURI + ' ' + event.sample)
})`

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
