import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ROOMS } from '../lint/rooms.ts'
import { anchorsOf, fencesOf, linksOf, type Page, readPages, root, scriptsNamed } from './pages.ts'

const pages = readPages()

function page(path: string): Page {
  const found = pages.find((candidate) => candidate.path === path)
  assert.ok(found, `${path} is missing`)
  return found
}

const below = (folder: string): readonly Page[] => pages.filter(({ path }) => path.startsWith(`${folder}/`))
const links = (path: string): readonly string[] => linksOf(page(path)).map(({ target }) => target)

describe('the pages', () => {
  test('every link to a file or a heading of the repository resolves', () => {
    const broken = pages.flatMap((from) =>
      linksOf(from)
        .filter(({ target, anchor }) => {
          if (!existsSync(join(root, target))) return true
          if (anchor === undefined || !target.endsWith('.md')) return false
          return !anchorsOf(readFileSync(join(root, target), 'utf8')).has(anchor)
        })
        .map(({ target, anchor }) => `${from.path}: ${target}${anchor === undefined ? '' : `#${anchor}`}`),
    )
    assert.deepEqual(broken, [])
  })

  test('every npm script that a page names is one of package.json', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.ok(typeof manifest === 'object' && manifest !== null && 'scripts' in manifest)
    const scripts = Object.keys(Object(manifest.scripts))
    const unknown = pages.flatMap(({ path, text }) =>
      scriptsNamed(text)
        .filter((script) => !scripts.includes(script))
        .map((script) => `${path}: ${script}`),
    )
    assert.deepEqual(unknown, [])
  })

  test('no fence is left open', () => {
    const open = pages.filter(({ text }) => (text.match(/^ *```/gm) ?? []).length % 2 === 1)
    assert.deepEqual(
      open.map(({ path }) => path),
      [],
    )
  })
})

describe('recipes', () => {
  for (const { path, text } of below('docs/recipes')) {
    test(`${path} ends with the check that proves it, and CONTRIBUTING lists it`, () => {
      const last = fencesOf(text).at(-1)
      assert.equal(last?.language, 'sh')
      assert.match(last.text, /^npm (test|run) /)
      assert.ok(text.trimEnd().endsWith('```'), 'nothing stands after the check')
      assert.match(text, /\nCheck:\n\n```sh\n/)
      assert.ok(links('CONTRIBUTING.md').includes(path))
    })
  }

  test('there is one for each thing that is added again and again', () => {
    const names = below('docs/recipes').map(({ path }) => path.replace(/^.*\/|\.md$/g, ''))
    const added = ['route', 'room', 'forge', 'task-type', 'config-option', 'migration', 'error-code']
    for (const thing of added)
      assert.ok(
        names.some((name) => /^add-an?-/.test(name) && name.endsWith(`-${thing}`)),
        thing,
      )
  })
})

describe('rooms', () => {
  const rooms = globSync('server/src/rooms/*/*/index.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))

  for (const folder of rooms.map((path) => path.slice(0, -'/index.ts'.length)).sort()) {
    test(`${folder} has a page, which ARCHITECTURE links`, () => {
      const path = `${folder}/README.md`
      assert.ok(existsSync(join(root, path)), `write ${path}: purpose, routes, tables owned, asks, tells, invariants`)
      assert.ok(links('ARCHITECTURE.md').includes(path), `link ${path} in ARCHITECTURE.md`)
    })
  }

  test('ARCHITECTURE names them in the order of the linter', () => {
    const { text } = page('ARCHITECTURE.md')
    const table = text.slice(text.indexOf('## Rooms'))
    const places = ROOMS.map((room) => {
      const [wing = '', name = ''] = room.split('/')
      return { room, at: table.indexOf(`[${name}](server/src/rooms/${wing}/${name}/README.md)`) }
    })
    const built = places.filter(({ room }) => existsSync(join(root, 'server/src/rooms', room, 'index.ts')))
    for (const { room, at } of built) assert.notEqual(at, -1, `${room} is missing`)
    assert.deepEqual(
      built,
      built.toSorted((a, b) => a.at - b.at),
    )
  })
})

describe('decisions', () => {
  const decisions = below('docs/decisions').filter(({ path }) => !path.endsWith('README.md'))

  test('each has a number of its own, and the index lists it', () => {
    const numbers = decisions.map(({ path }) => path.replace(/^.*\/(\d{4})-.*$/, '$1'))
    assert.deepEqual(
      numbers,
      decisions.map((_, index) => String(index + 1).padStart(4, '0')),
    )
    for (const { path } of decisions) assert.ok(links('docs/decisions/README.md').includes(path), path)
  })

  test('each says context, decision and consequence', () => {
    for (const { path, text } of decisions) {
      const headings = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1])
      assert.deepEqual(headings, ['Context', 'Decision', 'Consequence'], path)
    }
  })
})

test('the glossary has each word that means one thing', () => {
  const words = ['run', 'step', 'task', 'attempt', 'trigger', 'event', 'delivery', 'source', 'scope', 'team path']
  const further = ['runner', 'lease', 'fence', 'fact', 'profile', 'environment', 'grant', 'role', 'pipeline', 'secret']
  const defined = [...page('docs/glossary.md').text.matchAll(/^\*\*([^*]+)\*\*/gm)].map((match) => match[1])
  assert.deepEqual(
    [...words, ...further].filter((word) => !defined.includes(word)),
    [],
  )
  assert.equal(new Set(defined).size, defined.length, 'one word, one meaning')
})
