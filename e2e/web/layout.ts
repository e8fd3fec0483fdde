import type { Page } from 'playwright-core'

/** The elements that make the page scroll sideways; none where it does not. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    )
    const inner = wide.filter((element) => !wide.some((other) => other !== element && element.contains(other)))
    return [
      `${scrollWidth} of ${clientWidth} px`,
      ...inner.slice(0, 5).map((element) => element.outerHTML.slice(0, 160)),
    ]
  })
}

/** To lay out a page again takes long, also in the size that it has. */
export async function resize(
  page: Page,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<void> {
  const now = page.viewportSize()
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height })
}

/** Changes the colours of the system, and waits until the page has drawn itself in them. */
export async function showIn(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(passing.map(({ finished }) => finished))
    await new Promise(requestAnimationFrame)
  })
}

/** Presses Tab through the whole page; answers what it never reached, and whether it came back to the beginning. */
export async function walkByTab(page: Page): Promise<{ readonly missed: string[]; readonly returns: boolean }> {
  const count = await page.evaluate(() => {
    const stops = [
      ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]'),
    ]
    const reachable = stops.filter((element) => {
      if (element.tabIndex < 0 || element.matches(':disabled') || element.closest('[inert]')) return false
      // Of radio buttons one alone is a stop, the others are reached by arrows.
      if (element instanceof HTMLInputElement && element.type === 'radio' && !element.checked) return false
      return element.checkVisibility({ visibilityProperty: true })
    })
    const order: EventTarget[] = []
    const end = new AbortController()
    const note = ({ target }: FocusEvent): void => void (target && order.push(target))
    document.addEventListener('focusin', note, { signal: end.signal })
    Object.assign(window, { walk: { reachable, order, end } })
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    return reachable.length
  })
  const hasReturned = 'walk.order.indexOf(walk.order.at(-1)) < walk.order.length - 1'
  const missed = 'walk.reachable.filter((element) => element.isConnected && !walk.order.includes(element))'
  // Scrollable boxes are stops besides; the browser's own part counts as one.
  const most = count * 2 + 10
  for (let presses = count + 2; presses <= most; presses += 4) {
    await pressTab(page, presses === count + 2 ? presses : 4)
    if (await page.evaluate(`${hasReturned} && ${missed}.length === 0`)) break
  }
  return page.evaluate<{ missed: string[]; returns: boolean }>(`(() => {
    const missed = ${missed}.map((element) => element.outerHTML.slice(0, 160))
    const returns = walk.order.length === 0 || ${hasReturned}
    walk.end.abort()
    document.activeElement.blur()
    return { missed, returns }
  })()`)
}

/** The browser does them one after the other: to wait for each one's answer would take most of the time. */
async function pressTab(page: Page, times: number): Promise<void> {
  const keys = await page.context().newCDPSession(page)
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  const sent = Array.from({ length: times }, () =>
    (['rawKeyDown', 'keyUp'] as const).map((type) => keys.send('Input.dispatchKeyEvent', { type, ...tab })),
  )
  await Promise.all(sent.flat())
  await keys.detach()
}
