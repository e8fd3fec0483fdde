import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { folderOfBuild, programOf } from './built.mjs'

const isRoot = process.getuid?.() === 0

describe('what is started', () => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-built-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const startOfServer = (): string => fileURLToPath(programOf('server', root)).slice(root.length + 1)
  before(() => {
    for (const name of ['cli', 'contracts', 'pipeline', 'runner', 'server']) write(`${name}/src/main.ts`, '')
    write('build/built.mjs', '')
  })

  test('is the source where nothing is built', () => {
    assert.equal(startOfServer(), 'server/src/main.ts')
  })

  test('is found where other workspaces are not installed', () => {
    rmSync(join(root, 'cli'), { recursive: true })
    assert.equal(startOfServer(), 'server/src/main.ts')
  })

  for (const [change, path] of [
    ['a source that changes', 'server/src/main.ts'],
    ['a source that is new', 'pipeline/src/graph/new.ts'],
    ['a workspace with other dependencies', 'runner/package.json'],
    ['another way to build', 'build/built.mjs'],
    ['what is installed anew', 'node_modules/.package-lock.json'],
  ] as const) {
    test(`is the source again after ${change}`, () => {
      const built = join(folderOfBuild(root), 'server.js')
      mkdirSync(dirname(built), { recursive: true })
      writeFileSync(built, '')
      assert.equal(join(root, startOfServer()), built)
      write(path, `of ${change}`)
      assert.equal(startOfServer(), 'server/src/main.ts')
    })
  }

  test('is the source where what is built may not be read', { skip: isRoot && 'root may read everything' }, () => {
    const built = join(folderOfBuild(root), 'server.js')
    mkdirSync(dirname(built), { recursive: true })
    writeFileSync(built, '', { mode: 0o000 })
    assert.equal(startOfServer(), 'server/src/main.ts')
    rmSync(built)
  })

  test('stays what is built where a test changes', () => {
    const folder = folderOfBuild(root)
    write('server/src/main.test.ts', 'new')
    assert.equal(folderOfBuild(root), folder)
  })
})

describe('the build of the programs', () => {
  const root = resolve(import.meta.dirname, '..')
  let folder: string
  before(() => {
    execFileSync(process.execPath, [join(import.meta.dirname, 'build-programs.ts'), '--if-stale'])
    folder = folderOfBuild()
  })

  test('is what the commands start', () => {
    for (const name of ['cli', 'runner', 'server'] as const) {
      assert.equal(fileURLToPath(programOf(name)), join(folder, `${name}.js`))
    }
  })

  test('answers as its sources do', () => {
    const versionOf = (program: string) =>
      execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' }).trim()
    assert.equal(versionOf(join(folder, 'server.js')), versionOf(join(root, 'server/src/main.ts')))
  })

  test('finds every file that its sources look for beside them', () => {
    const texts = globSync('*.js', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'))
    const places = texts.flatMap((text) => [
      ...[...text.matchAll(/import\.meta\.dirname \+ "\/([^"]+)"/g)].map(([, path = '']) => path),
      ...[...text.matchAll(/new URL\(["']([^"'\0]+)["'], import\.meta\.url\)/g)].map(([, path = '']) => path),
    ])
    assert.ok(places.length > 10)
    assert.equal(places.filter((path) => path.endsWith('-thread.js')).length, 3)
    assert.deepEqual(
      places.filter((path) => !existsSync(join(folder, path))),
      [],
    )
  })
})
