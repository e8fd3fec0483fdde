import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readTestArguments, TEST_ROOTS } from './arguments.ts'

describe('the words after npm test --', () => {
  test('without any, all tests of all workspaces run', () => {
    const { flags, patterns } = readTestArguments([])
    assert.deepEqual(flags, [])
    assert.deepEqual(
      patterns,
      TEST_ROOTS.map((root) => `${root}/**/*.test.ts`),
    )
  })

  test('a folder stands for the tests below it, a file for itself', () => {
    assert.deepEqual(readTestArguments(['server/src/rooms/', './runner/src/a.test.ts']).patterns, [
      'server/src/rooms/**/*.test.ts',
      'runner/src/a.test.ts',
    ])
  })

  test('tests of the page go to Vitest, which runs them besides where all are asked for', () => {
    assert.deepEqual(readTestArguments([]).page, [])
    assert.deepEqual(readTestArguments(['ui']), { flags: [], patterns: ['ui/build/**/*.test.ts'], page: [''] })
    assert.deepEqual(readTestArguments(['ui/src/theme', 'cli']), {
      flags: [],
      patterns: ['cli/**/*.test.ts'],
      page: ['src/theme'],
    })
  })

  test('flags go to the test runner of node', () => {
    assert.deepEqual(readTestArguments(['--test-name-pattern=a lease', 'server']), {
      flags: ['--test-name-pattern=a lease'],
      patterns: ['server/**/*.test.ts'],
      page: undefined,
    })
  })
})
