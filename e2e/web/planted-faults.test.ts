import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resize } from './layout.ts'
import { findFaultsOfPage } from './look.ts'
import { WIDE } from './open-page.ts'
import { describeWeb } from './visit.ts'

/** Each fault that the sweep must find, and how it is brought into a page. */
const PLANTED: readonly { readonly found: RegExp; readonly plant: string }[] = [
  { found: /^1280 px, dark: color-contrast/, plant: `style('[data-mantine-color-scheme="dark"] h1 { color: #333 }')` },
  { found: /^380 px, dark: color-contrast/, plant: '' },
  {
    found: /^1280 px, light: color-contrast/,
    plant: `style('[data-mantine-color-scheme="light"] h2 { color: #ddd }')`,
  },
  { found: /^380 px, scrolls sideways: 5\d\d of 380 px/, plant: `add('<div>wide</div>').style.width = '500px'` },
  { found: /^1280 px, light: button-name/, plant: `add('<button></button>')` },
  {
    found: /^1280 px, dark: image-alt/,
    plant: `new MutationObserver(() => document.documentElement.dataset.mantineColorScheme === 'dark' && add('<img src="data:,">'))
      .observe(document.documentElement, { attributes: true })`,
  },
  {
    found: /^1280 px, Tab never reaches <a/,
    plant: `const trap = add('<button>trap</button>')
      trap.addEventListener('keydown', (event) => event.preventDefault())`,
  },
  { found: /^console error: planted/, plant: `console.error('planted')` },
  { found: /^error: .*planted error/, plant: `setTimeout(() => { throw new Error('planted error') })` },
  { found: /^answer: GET \/v1\/planted 404/, plant: `void fetch('/v1/planted')` },
  { found: /^policy: script-src/, plant: `add('<i></i>').setAttribute('onclick', 'planted()')` },
]

const TOOLS = `
  const add = (html) => {
    const box = document.createElement('div')
    box.innerHTML = html
    document.querySelector('main').append(box)
    return box.firstElementChild
  }
  const style = (text) => {
    const sheet = document.createElement('style')
    sheet.nonce = document.querySelector('[nonce]').nonce
    sheet.textContent = text
    document.head.append(sheet)
  }
`

describeWeb('the sweep', (web) => {
  test('finds nothing where nothing is wrong, and each fault that is planted', async () => {
    await web.stage.seats.visit('owner', '/preferences', async ({ page, settle, findFaults }) => {
      await settle()
      assert.deepEqual([...(await findFaultsOfPage(page)), ...(await findFaults())], [])
      await resize(page, WIDE)
      await page.evaluate(`(() => { ${TOOLS} ${PLANTED.map(({ plant }) => plant).join('\n')} })()`)
      await settle()
      const found = [...(await findFaultsOfPage(page)), ...(await findFaults())]
      const overlooked = PLANTED.filter((planted) => !found.some((fault) => planted.found.test(fault)))
      assert.deepEqual(overlooked, [], found.join('\n'))
    })
  })
})
