import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const exported = readFileSync(join(import.meta.dirname, '../components/index.ts'), 'utf8')
const shown = globSync('*.tsx', { cwd: import.meta.dirname }).map((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8'),
)

/** A provider draws nothing of its own. */
const INVISIBLE = ['ZoneProvider']

test('the gallery shows each shared component', () => {
  const components = [...exported.matchAll(/(?:[{,]) (?!type )([A-Z]\w+)/g)].flatMap(([, name]) => name ?? [])
  const missing = components.filter(
    (name) => !INVISIBLE.includes(name) && !shown.some((text) => text.includes(`<${name}`)),
  )
  expect(components).toContain('PageHeader')
  expect(missing).toEqual([])
})
