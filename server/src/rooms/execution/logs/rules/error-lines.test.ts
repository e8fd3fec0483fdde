import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksLikeError } from './error-lines.ts'

const ERRORS = [
  'error: expected `;`',
  'error[E0308]: mismatched types',
  'src/main.c:12:5: error: use of undeclared identifier',
  "src/app.ts(3,1): error TS2304: Cannot find name 'x'.",
  'npm ERR! code ELIFECYCLE',
  'make: *** [Makefile:3: all] Error 2',
  'Traceback (most recent call last):',
  "TypeError: Cannot read properties of undefined (reading 'x')",
  'java.lang.NullPointerException',
  'panic: runtime error: index out of range [5] with length 3',
  '--- FAIL: TestSum (0.00s)',
  'FAIL\tgithub.com/acme/shop\t0.012s',
  'not ok 3 - adds numbers',
  '  ✗ adds numbers',
  'E       assert 1 == 2',
  'fatal: repository not found',
  'sh: 1: foo: not found',
  'bash: ./deploy: Permission denied',
  'ld: undefined reference to `main`',
  'Segmentation fault (core dumped)',
  'BUILD FAILED in 3s',
  'Tests:       1 failed, 12 passed, 13 total',
  '##[error]Process completed with exit code 1.',
  'write: no space left on device',
  'The process was killed.',
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  'The command exited with code 3',
  'CONFLICT (content): Merge conflict in a.txt',
]

const NONE = [
  'compiled src/errors.ts in 12 ms',
  '0 errors, 0 warnings',
  'found no errors',
  'Failures: 0, Errors: 0',
  'Tests run: 12, Failures: 0',
  'set -e fail-fast continue-on-error: false',
  'added 120 packages in 3s',
  'no failed tests',
  'checking out 0a1b2c3',
  'cc -Wall -Werror -c main.c',
  '',
]

test('a line looks like an error by the words of compilers, test runners, shells and CI systems', () => {
  for (const line of ERRORS) assert.ok(looksLikeError(line), line)
})

test('counts of nothing and names of files look like none', () => {
  for (const line of NONE) assert.equal(looksLikeError(line), false, line)
})

test('a line costs its length, whatever it holds: else this would not end', () => {
  for (const piece of ['A', ' ', 'no ', '0 x ', 'Error', 'error_', 'fail-', 'exit ']) {
    assert.equal(typeof looksLikeError(`${piece.repeat(1_000_000)}.`), 'boolean')
  }
})
