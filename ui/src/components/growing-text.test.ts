import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { GrowingText } from './growing-text.tsx'

function draw(value: string): string {
  const field = createElement(GrowingText, {
    label: 'EVIL',
    description: 'Any text.',
    value,
    onChange: () => undefined,
  })
  return renderToStaticMarkup(createElement(MantineProvider, null, field))
}

test('no tower of marks reaches the browser, which would need the square of its height', () => {
  const drawn = draw(`a Z${'\u0301'.repeat(60_000)} b`)
  expect(drawn).not.toMatch(/\p{M}{9}/u)
  expect(drawn).toContain(`a Z${'\u0301'.repeat(8)}… b</textarea>`)
  expect(drawn).toContain('Any text. Towers of marks are cut here.')
})

test('a value without towers is drawn as it is, and nothing is said of it', () => {
  const value = `${'e\u0301'.repeat(1000)} ${'W'.repeat(60_000)}`
  const drawn = draw(value)
  expect(drawn).toContain(`${value}</textarea>`)
  expect(drawn).not.toContain('Towers')
})
