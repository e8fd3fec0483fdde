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
    const reached = new Set<EventTarget>()
    const order: EventTarget[] = []
    document.addEventListener('focusin', ({ target }) => {
      if (!target) return
      reached.add(target)
      order.push(target)
    })
    Object.assign(window, { walk: { reachable, reached, order } })
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    return reachable.length
  })
  // Scrollable boxes are stops besides; the browser's own part counts as one.
  for (let press = 0; press < count * 2 + 10; press += 1) {
    await page.keyboard.press('Tab')
    if (press > count && (await page.evaluate('walk.order.indexOf(walk.order.at(-1)) < walk.order.length - 1'))) break
  }
  return page.evaluate<{ missed: string[]; returns: boolean }>(`({
    missed: walk.reachable.filter((element) => element.isConnected && !walk.reached.has(element)).map((element) => element.outerHTML.slice(0, 160)),
    returns: walk.order.length === 0 || walk.order.indexOf(walk.order.at(-1)) < walk.order.length - 1,
  })`)
}
