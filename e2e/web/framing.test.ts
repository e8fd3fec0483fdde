import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { openContext } from './open-page.ts'
import { describeWeb } from './visit.ts'

/** What of ours another page could frame: the application, the description of the API, and an answer. */
const ANSWER = '/v1/auth/me'
const FRAMED = ['/', '/docs/api', ANSWER]
const OWN = 'of the other origin'

describeWeb('a page of another origin', (web) => {
  /** Opens a page elsewhere that frames what is ours, in each way; answers the texts of its frames. */
  async function frame(
    paths: readonly string[],
    prepare?: (context: BrowserContext) => Promise<void>,
  ): Promise<Map<string, string>> {
    const { house } = web.stage
    const frames = paths.flatMap((path) => {
      const address = `${house.url}${path}`
      return [
        `<iframe name="iframe ${path}" src="${address}"></iframe>`,
        `<object name="object ${path}" type="text/html" data="${address}"></object>`,
        `<embed name="embed ${path}" type="text/html" src="${address}">`,
      ]
    })
    const server = createServer(({ url }, answer) => {
      answer.setHeader('content-type', 'text/html')
      answer.end(url === '/own' ? OWN : `<iframe name="own" src="/own"></iframe>${frames.join('')}`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    // Another port is another origin of the same site: the cookie of whoever is signed in goes along.
    const context = await openContext(web.stage, { as: 'owner' })
    try {
      await prepare?.(context)
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      return await readFrames(page)
    } finally {
      await context.close()
      server.close()
      server.closeAllConnections()
    }
  }

  test('frames ours, and nothing of it is shown', async () => {
    const texts = await frame(FRAMED)
    assert.equal(texts.get('own'), OWN)
    for (const path of FRAMED) assert.ok(texts.has(`iframe ${path}`), path)
    for (const [name, text] of texts) {
      if (name !== 'own') assert.doesNotMatch(text, /signalbox|acme|owner|"user"/i, name)
    }
  })

  test('would show it if our answers did not refuse', async () => {
    const texts = await frame([ANSWER], async (context) => {
      await context.route(`${web.stage.house.url}${ANSWER}`, async (route) => {
        const response = await route.fetch()
        const { 'x-frame-options': _options, 'content-security-policy': _policy, ...headers } = response.headers()
        await route.fulfill({ response, headers })
      })
    })
    for (const way of ['iframe', 'object', 'embed']) assert.match(texts.get(`${way} ${ANSWER}`) ?? '', /web-owner/, way)
  })
})

/** What each frame shows, with its title. */
async function readFrames(page: Page): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const inner of page.frames().filter((each) => each !== page.mainFrame())) {
    const name = inner.name()
    try {
      texts.set(name, await inner.evaluate(() => `${document.title} ${document.documentElement.innerText}`.trim()))
    } catch (error) {
      // The browser takes an object away that it was refused.
      if (!inner.isDetached()) throw error
    }
  }
  return texts
}
