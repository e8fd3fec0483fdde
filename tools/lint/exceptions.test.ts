import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob, resolve } from 'node:path'
import { test } from 'node:test'

// Exceptions only become fewer: each file or folder that a rule leaves out must still break that rule.

const root = resolve(import.meta.dirname, '../..')
const binary = join(root, 'node_modules/.bin/oxlint')

type Severity = string | readonly [string, unknown]
interface Configuration {
  readonly plugins: readonly string[]
  readonly jsPlugins: readonly string[]
  readonly ignorePatterns: readonly string[]
  readonly rules: Readonly<Record<string, Severity>>
  readonly overrides: readonly {
    readonly files: readonly string[]
    readonly rules: Readonly<Record<string, Severity>>
  }[]
}

function readConfiguration(): Configuration {
  const text = readFileSync(join(root, '.oxlintrc.json'), 'utf8')
  return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''))
}

/** The files that break each rule, where no exception is made: `rule` to paths. */
function lintWithoutExceptions({ plugins, jsPlugins, ignorePatterns, rules, overrides }: Configuration) {
  const names = new Set(overrides.flatMap((override) => Object.keys(override.rules)))
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-lint-'))
  try {
    const path = join(folder, 'oxlintrc.json')
    const chosen = Object.fromEntries([...names].map((name) => [name, rules[name]]))
    const local = jsPlugins.map((plugin) => resolve(root, plugin))
    const config = { plugins, jsPlugins: local, categories: { correctness: 'off' }, ignorePatterns, rules: chosen }
    writeFileSync(path, JSON.stringify(config))
    const words = [binary, '--disable-nested-config', `--config=${path}`, '--format=unix', root]
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
    assert.match(stdout, /\d+ problems/, `oxlint did not come to an end: ${stdout}${stderr}`)
    const found = new Map<string, Set<string>>()
    for (const line of stdout.split('\n')) {
      const [, file = '', plugin = '', rule = ''] = /^(.+?):\d+:\d+: .*\[\w+\/([\w-]+)\(([\w-]+)\)\]$/.exec(line) ?? []
      const name = plugin === 'eslint' ? rule : `${plugin}/${rule}`
      found.set(name, (found.get(name) ?? new Set()).add(file.replace(`${root}/`, '')))
    }
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('each exception of the linter is still needed', () => {
  const configuration = readConfiguration()
  const found = lintWithoutExceptions(configuration)
  const needless = configuration.overrides.flatMap(({ files, rules }) =>
    Object.keys(rules).flatMap((rule) =>
      files
        .filter((pattern) => ![...(found.get(rule) ?? [])].some((file) => matchesGlob(file, pattern)))
        .map((pattern) => `${pattern} keeps ${rule}: remove it from the exceptions in .oxlintrc.json`),
    ),
  )
  assert.deepEqual(needless, [])
})

test('exceptions only switch rules off, and only rules that are on', () => {
  const { rules, overrides } = readConfiguration()
  for (const override of overrides) {
    for (const [rule, severity] of Object.entries(override.rules)) {
      assert.equal(severity, 'off', rule)
      assert.ok(rules[rule] !== undefined && rules[rule] !== 'off', `${rule} is not on`)
    }
  }
})
