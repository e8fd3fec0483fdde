import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const styles = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'styles')
const sheet = readFileSync(join(import.meta.dirname, 'mantine.css'), 'utf8')

/** The components of Mantine that a file imports by name. */
function componentsOf(text: string): readonly string[] {
  return [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*/, ''),
    ),
  )
}

test('each component of Mantine that a page draws has its styles in the sheet', () => {
  const used = new Set(
    globSync('**/*.tsx', { cwd: root }).flatMap((file) => componentsOf(readFileSync(join(root, file), 'utf8'))),
  )
  const missing = [...used].filter((name) => existsSync(join(styles, `${name}.css`)) && !sheet.includes(`/${name}.css`))
  expect(used.has('Button')).toBe(true)
  expect(missing).toEqual([])
})

test('a badge is the shared one: none of Mantine', () => {
  const drawn = globSync('**/*.tsx', { cwd: root }).filter((file) =>
    componentsOf(readFileSync(join(root, file), 'utf8')).includes('Badge'),
  )
  expect(drawn).toEqual([])
})
