import type { Page, Request } from 'playwright-core'
import type { Operation } from '../house/open-api.ts'

/** A button in the page's own part, as a person meets it. */
export interface Button {
  readonly name: string
  readonly isOff: boolean
  /** What a reader of the screen is told about it. */
  readonly why: string
}

/** The buttons of the page, one for each name: a list has the same in each row. */
export async function listButtons(page: Page): Promise<ReadonlyMap<string, Button>> {
  const found = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main button.mantine-Button-root')].map((button) => ({
      name: button.getAttribute('aria-label') ?? button.innerText.trim(),
      isOff: button.getAttribute('aria-disabled') === 'true' || button.matches(':disabled'),
      why: button.getAttribute('aria-description') ?? '',
    })),
  )
  // Of equal names the one that can be pressed counts.
  return new Map(found.toSorted((a, b) => Number(b.isOff) - Number(a.isOff)).map((button) => [button.name, button]))
}

/** Stops each write of the page before it is sent, and answers what was stopped since it was asked last. */
export async function holdWrites(page: Page): Promise<() => readonly Request[]> {
  let held: Request[] = []
  await page.route(/\/v1\//, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    held.push(route.request())
    const problem = {
      type: 'about:blank',
      title: 'Held',
      status: 400,
      code: 'invalid_request',
      detail: 'Held by the test.',
    }
    return route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(problem) })
  })
  return () => {
    const taken = held
    held = []
    return taken
  }
}

/** Presses the button of that name, and the one that sends the dialog that it opened, whatever is filled in there. */
export async function press(page: Page, name: string, settle: () => Promise<void>): Promise<void> {
  await page.evaluate((wanted) => {
    const buttons = [...document.querySelectorAll<HTMLElement>('main button.mantine-Button-root')]
    for (const form of document.querySelectorAll('form')) form.noValidate = true
    const named = buttons.filter((button) => (button.getAttribute('aria-label') ?? button.innerText.trim()) === wanted)
    named.find((button) => button.getAttribute('aria-disabled') !== 'true' && !button.matches(':disabled'))?.click()
  }, name)
  await settle()
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) === 0) return
  await page.evaluate(() => {
    for (const form of document.querySelectorAll('form')) form.noValidate = true
    document.querySelector<HTMLElement>('[role="dialog"] button[type="submit"]:not([aria-disabled="true"])')?.click()
  })
  await settle()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/** The operation that a request calls: of several that fit, the one whose path says most. */
export function operationOf(operations: readonly Operation[], request: Request): Operation | undefined {
  const { pathname } = new URL(request.url())
  return operations
    .filter(({ method, path }) => method === request.method() && patternOf(path).test(pathname))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
