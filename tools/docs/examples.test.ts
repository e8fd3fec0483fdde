import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { outlineOfProgram } from '../../cli/src/documentation.ts'
import { parsePipeline } from '../../pipeline/src/document/index.ts'
import { OPTIONS } from '../../server/src/platform/config/options.ts'
import { codeOf, fencesOf, readPages, root } from './pages.ts'

/** The pages for people who use it; recipes show things that do not exist yet. */
const pages = readPages().filter(({ path }) =>
  /^(README|SECURITY|ARCHITECTURE|docs\/(access|faq|first-steps|operations\/|pipelines\/))/.test(path),
)

describe('what a page for users shows exists', () => {
  test('pipelines are valid', () => {
    const shown = pages.flatMap(({ path, text }) =>
      fencesOf(text)
        .filter((fence) => fence.language === 'yaml' && /^steps:/m.test(fence.text))
        .map((fence) => ({ path, result: parsePipeline(fence.text) })),
    )
    assert.ok(shown.length > 0)
    for (const { path, result } of shown) {
      assert.deepEqual(result.ok ? result.warnings : result.problems, [], path)
    }
  })

  test('addresses of the API are routes', () => {
    const document: unknown = JSON.parse(readFileSync(join(root, 'docs/api/openapi.json'), 'utf8'))
    // The document does not describe its own address.
    const routes = new Set([...Object.keys(Object(Object(document).paths)), '/v1/openapi.json'].map(pattern))
    const unknown = pages.flatMap(({ path, text }) =>
      codeOf(text)
        .flatMap((code) => code.match(/(?<![\w.])\/(v1|livez|healthz|metrics)\b[^\s`"'?]*/g) ?? [])
        .filter((address) => !routes.has(pattern(address)))
        .map((address) => `${path}: ${address}`),
    )
    assert.deepEqual(unknown, [])
  })

  test('commands are commands', () => {
    const { commands } = outlineOfProgram()
    const known = new Map(
      commands.map(({ words, commands: below }) => [words[0] ?? '', below.map((each) => each.words.at(-1) ?? '')]),
    )
    const unknown = pages.flatMap(({ path, text }) =>
      codeOf(text)
        .flatMap((code) => [...code.matchAll(/(?:^|[\s`])signalbox ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/gm)])
        .filter(([, name = '', further]) => {
          const below = known.get(name)
          return below === undefined || (below.length > 0 && further !== undefined && !below.includes(further))
        })
        .map(([words]) => `${path}: ${words.trim()}`),
    )
    assert.deepEqual(unknown, [])
  })

  test('environment variables are options', () => {
    const options = new Set(Object.keys(OPTIONS).map((name) => name.toUpperCase()))
    const unknown = pages
      .filter(({ path }) => path.endsWith('running.md'))
      .flatMap(({ text }) => text.match(/^(?:Environment=)?[A-Z][A-Z_]+(?==)/gm) ?? [])
      .map((name) => name.replace('Environment=', ''))
      .filter((name) => !options.has(name) && !name.startsWith('SIGNALBOX_RUNNER_'))
    assert.deepEqual(unknown, [])
  })
})

/** `/v1/runs/{id}/logs` and `/v1/runs/$RUN/logs` are the same route. */
function pattern(address: string): string {
  return address.replace(/\{[^}]*\}|\$\w+|<[^>]*>/g, '*')
}
