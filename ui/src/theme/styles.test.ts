import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const outside = globSync('**/*.{css,ts,tsx}', { cwd: root })
  .filter((file) => !file.startsWith('theme/') && !file.endsWith('.test.ts'))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)

describe('outside of the theme', () => {
  test('no file has a colour of its own', () => {
    const colours = /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgb|hsl|oklch|lab)a?\(/i
    expect(outside.filter(([, text]) => colours.test(text)).map(([file]) => file)).toEqual([])
  })

  test('no page names a colour but by what it means', () => {
    const words = '(?:red|orange|yellow|lime|green|teal|cyan|blue|indigo|violet|grape|purple|pink|brown|gr[ae]y)'
    const quoted = new RegExp(`["'\`]${words}(?:\\.\\d)?["'\`]|mantine-color-${words}\\b`)
    const styled = new RegExp(`mantine-color-${words}\\b|:[^;{}]*\\b${words}\\b(?!-)[^;{}]*;`)
    const found = outside.filter(([file, text]) => (file.endsWith('.css') ? styled : quoted).test(text))
    // The words of a terminal for its own colours, which tokens.ts says.
    expect(found.map(([file]) => file)).toEqual(['rooms/logs/ansi.ts'])
  })

  test('no style has a size in pixels but the line of 1 or 2', () => {
    const sizes = /(?<![\w.-])(?!0?[12]px)\d*\.?\d+px/
    const found = outside.filter(([file, text]) => file.endsWith('.css') && sizes.test(text))
    expect(found.map(([file]) => file)).toEqual([])
  })

  test('no page writes styles as HTML', () => {
    expect(outside.filter(([, text]) => /dangerouslySetInnerHTML|innerHTML/.test(text)).map(([file]) => file)).toEqual(
      [],
    )
  })
})
