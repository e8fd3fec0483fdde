import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findAxeFaults } from './axe.ts'
import { walkByTab } from './layout.ts'
import { describeWeb } from './visit.ts'

// What the other tests rely on: each fault of a page fails the test that meets it.

const append = (page: Page, html: string) =>
  page.evaluate((text) => document.querySelector('main')?.insertAdjacentHTML('beforeend', text), html)

const FAULTS: readonly (readonly [what: string, told: RegExp, make: (page: Page) => Promise<unknown>])[] = [
  ['an error on the console', /console error: oh no/, (page) => page.evaluate(() => console.error('oh no'))],
  ['a warning on the console', /console warning: look/, (page) => page.evaluate(() => console.warn('look'))],
  [
    'an error that nobody caught',
    /error: Error: lost/,
    (page) =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            window.addEventListener('error', resolve)
            setTimeout(() => {
              throw new Error('lost')
            })
          }),
      ),
  ],
  ['an answer that is a problem', /answer: GET \/v1\/nothing 404/, (page) => page.evaluate(() => fetch('/v1/nothing'))],
  [
    'a request to elsewhere',
    /policy: connect-src refused http:\/\/127\.0\.0\.1:1\//,
    (page) => page.evaluate(() => fetch('http://127.0.0.1:1/').catch(() => undefined)),
  ],
  ['an inline script', /policy: script-src-attr refused inline/, (page) => append(page, '<img onerror="" alt="">')],
  [
    'a style element without the nonce',
    /policy: style-src-elem refused inline/,
    (page) => append(page, '<style>a{}</style>'),
  ],
  [
    'sideways scroll',
    /does not scroll sideways/,
    (page) => page.evaluate(() => (document.body.style.width = '5000px')),
  ],
]

describeWeb('a test fails when the page has', (web) => {
  for (const [what, told, make] of FAULTS) {
    test(what, async () => {
      const visited = web.visit({}, async ({ page, open }) => {
        await open('/sign-in')
        await make(page)
      })
      await assert.rejects(visited, told)
    })
  }

  test('text that cannot be read against its ground', async () => {
    await web.visit({ as: 'viewer' }, async ({ page, open }) => {
      await open('/t/acme/runs')
      await append(page, '<p id="faint">faint</p>')
      await page.evaluate(() => document.querySelector<HTMLElement>('#faint')?.style.setProperty('color', '#eee'))
      assert.match(String(await findAxeFaults(page, ['color-contrast'])), /color-contrast \(1\).*faint/s)
    })
  })

  test('a stop that Tab does not reach', async () => {
    await web.visit({ as: 'viewer' }, async ({ page, open }) => {
      await open('/t/acme/runs')
      await append(page, '<button id="trap">trap</button><button id="after">after</button>')
      await page.evaluate(() => {
        document.querySelector('#trap')?.addEventListener('keydown', (event) => event.preventDefault())
      })
      const { missed, returns } = await walkByTab(page)
      assert.match(String(missed), /after/)
      assert.equal(returns, false)
    })
  })
})
