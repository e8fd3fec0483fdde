import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SIGNALBOX } from './processes/programs.ts'

const signalbox = (...args: readonly string[]) =>
  spawnSync(process.execPath, [SIGNALBOX, ...args], { encoding: 'utf8' })

describe('the program', () => {
  test('prints its version and its help', () => {
    const version: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    assert.ok(typeof version === 'object' && version && 'version' in version)
    assert.equal(signalbox('--version').stdout, `${String(version.version)}\n`)
    const help = signalbox('--help')
    assert.equal(help.status, 0)
    assert.match(help.stdout, /check, save, run and show pipelines/)
  })

  test('starts without the schema library, which takes longer to load than all the rest', () => {
    const hook = `
      import { registerHooks } from 'node:module'
      registerHooks({
        resolve(specifier, context, next) {
          const resolved = next(specifier, context)
          if (/\\/(typebox|contracts)\\//.test(resolved.url)) console.error(resolved.url)
          return resolved
        },
      })`
    const preload = `data:text/javascript,${encodeURIComponent(hook)}`
    // Of the sources: what is built of them tells no module by its name.
    const words = ['--import', preload, join(import.meta.dirname, 'main.ts')]
    const { stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    assert.match(stderr, /contracts\/src\/runs\/routes\.ts/)
    assert.doesNotMatch(stderr, /typebox/)
  })

  test('ends with the documented code', () => {
    assert.equal(signalbox('nonsense').status, 2)
    assert.equal(signalbox('help', 'exit-codes').stdout.split('\n')[0]?.startsWith('0\t'), true)
  })

  test('hands its flags to the runner', () => {
    const help = signalbox('runner', 'start', '--help')
    assert.equal(help.status, 0)
    assert.match(help.stdout, /--token-file/)
    const wrong = signalbox('runner', '--url', 'x', '--capacity', 'many')
    assert.equal(wrong.status, 2)
    assert.match(wrong.stderr, /--capacity must be a whole number/)
  })
})
