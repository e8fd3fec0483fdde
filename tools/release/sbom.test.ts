import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')

interface Component {
  readonly purl: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}
interface Document {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: { readonly component: { readonly purl: string } }
  readonly components: readonly Component[]
}
interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), 'utf8'))
const manifests = ['package.json', ...globSync('{contracts,pipeline,server,runner,cli}/package.json', { cwd: root })]

const makeDocument = (): Document =>
  JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }))

describe('the bill of materials of a release', () => {
  const document = makeDocument()
  // `pkg:npm/%40scope/name@1.0.0?qualifiers`: https://github.com/package-url/purl-spec
  const nameOf = ({ purl }: Component) => decodeURIComponent(purl.replace(/^pkg:npm\/|@[^@]*$/g, ''))
  const isTool = ({ properties = [] }: Component) =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
  const installed = new Set(document.components.filter((each) => !isTool(each)).map(nameOf))

  test('is a CycloneDX document of this version', () => {
    assert.equal(document.bomFormat, 'CycloneDX')
    assert.match(document.specVersion, /^1\.\d$/)
    assert.equal(document.metadata.component.purl, `pkg:npm/signalbox@${readManifest('package.json').version}`)
  })

  // npm's own `--omit=dev` leaves out what both a workspace and a tool need, such as pg and fastify.
  test('names every package that a workspace depends on, and calls none of them a tool of development', () => {
    const wanted = manifests.flatMap((path) => Object.keys(readManifest(path).dependencies ?? {}))
    assert.ok(wanted.length > 10)
    const missing = wanted.filter((name) => !installed.has(name))
    assert.deepEqual(missing, [])
  })

  test('marks the tools of development', () => {
    const tools = ['@biomejs/biome', 'knip', 'oxlint', 'kysely-codegen', 'selfsigned']
    assert.deepEqual(
      tools.filter((name) => installed.has(name)),
      [],
    )
  })

  test('says the license of every package that is installed', () => {
    const silent = document.components.filter((each) => !isTool(each) && !('licenses' in each)).map(nameOf)
    assert.deepEqual(silent, [])
  })
})
