import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { commandLine, shellWord } from './command-line.ts'
import { SIGNALBOX } from './programs.ts'

const checkout = resolve(import.meta.dirname, '../../..')

describe('what to type to call this program', () => {
  test('is npx in the checkout, and the path of the program elsewhere', () => {
    assert.equal(commandLine(checkout, `${checkout}/.signalbox`), 'npx signalbox')
    assert.equal(commandLine('/', '/.signalbox'), shellWord(SIGNALBOX))
  })

  test('names a data folder that is not the usual one', () => {
    assert.equal(commandLine(checkout, '/my box'), "DATA_DIR='/my box' npx signalbox")
  })

  test('is read back by a shell as it was meant', () => {
    for (const word of ['/a/b-c_1', '/with spaces/x', "it's", '$(id)', '']) {
      assert.equal(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' }), word)
    }
  })
})
