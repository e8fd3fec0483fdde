import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { leavesOf } from './commands/outline.ts'
import { outlineOfProgram, renderCommandLinePage } from './documentation.ts'
import { EXIT_CODES } from './exit-codes.ts'

test('the page of the command line is as the commands are now', () => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  assert.equal(page, renderCommandLinePage(), 'run "npm run generate" and commit docs/cli.md')
  for (const { code } of Object.values(EXIT_CODES)) assert.match(page, new RegExp(`^\\| ${code} +\\|`, 'm'))
})

test('every command and every option says what it is', () => {
  for (const { words, description, options } of leavesOf(outlineOfProgram())) {
    assert.notEqual(description, '', words.join(' '))
    for (const option of options) assert.notEqual(option.description, '', `${words.join(' ')} ${option.flags}`)
  }
})

test('what a script may read it can read as JSON', () => {
  const without = ['up', 'demo', 'serve', 'runner start', 'login', 'logout', 'completion', 'help']
  const leaves = leavesOf(outlineOfProgram()).filter(({ words }) => !without.includes(words.join(' ')))
  for (const { words, options } of leaves) {
    assert.ok(
      options.some(({ names }) => names.includes('--json')),
      `${words.join(' ')} lacks --json`,
    )
  }
})
