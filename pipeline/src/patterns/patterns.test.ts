import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  compilePatterns,
  matchesPattern,
  PatternError,
  validatePattern,
  validatePatterns,
  validateRepositoryPatterns,
} from './index.ts'

const FITS: readonly (readonly [pattern: string, values: readonly string[], others: readonly string[]])[] = [
  ['main', ['main'], ['maintenance', 'Main', 'x/main', '']],
  ['*', ['main', ''], ['a/b']],
  ['release/*', ['release/1.0', 'release/'], ['release', 'release/1/2', 'xrelease/1']],
  ['**', ['', 'a', 'a/b/c'], []],
  ['feature/**', ['feature/a', 'feature/a/b', 'feature/'], ['feature', 'features/a']],
  ['**/docs/*', ['docs/a', 'x/docs/a', 'x/y/docs/a'], ['xdocs/a', 'docs/a/b']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/b/c']],
  ['**.js', ['index.js', 'src/js/app.js'], ['app.jsx']],
  ['*.js', ['index.js'], ['src/index.js']],
  ['v?.?', ['v1.2'], ['v1.22', 'v/.2', 'v1.']],
  ['v[0-9].*', ['v1.x', 'v9.'], ['vx.1', 'v10.1']],
  ['[!a-c]x', ['dx'], ['ax', '/x']],
  ['[]a]x', ['ax', ']x'], ['bx']],
  ['{main,release/*}', ['main', 'release/1'], ['release', '{main,release/*}']],
  ['a{,b{c,d}}e', ['ae', 'abce', 'abde'], ['abe', 'abcde']],
  ['\\*\\[\\{', ['*[{'], ['a[{']],
  ['a,b', ['a,b'], ['a']],
  ['acme/*', ['acme/widgets'], ['acme/web/widgets', 'xacme/widgets']],
  ['?', ['😀'], ['']],
]

describe('a pattern', () => {
  for (const [pattern, values, others] of FITS) {
    test(pattern, () => {
      for (const value of values) assert.equal(matchesPattern(pattern, value), true, `"${value}" should fit`)
      for (const value of others) assert.equal(matchesPattern(pattern, value), false, `"${value}" should not fit`)
    })
  }

  test('that cannot be read says why, and throws when it is used', () => {
    for (const pattern of ['', '!', '[a', '{a', 'a}', 'a]', '[z-a]', 'a\\', 'a'.repeat(201), 'a\0', '\ud800']) {
      assert.equal(typeof validatePattern(pattern), 'string', pattern)
      assert.throws(() => compilePatterns([pattern]), PatternError)
    }
    assert.equal(validatePattern('!feature/**'), undefined)
    assert.equal(validatePattern('a'.repeat(200)), undefined)
  })

  test('ignores the case of ASCII letters only, and only when asked', () => {
    const options = { caseInsensitive: true }
    assert.equal(matchesPattern('Acme/*', 'aCME/Widgets', options), true)
    assert.equal(matchesPattern('acme/widgets', 'ACME/Widgets', options), true)
    assert.equal(matchesPattern('ac[l-n]e/[A-Z]*', 'ACME/widgets', options), true)
    assert.equal(matchesPattern('[!a-c]x', 'Ax', options), false)
    assert.equal(matchesPattern('k*', '\u212Aelvin', options), false, 'the Kelvin sign is no k')
    assert.equal(matchesPattern('acme/*', 'ACME/x'), false)
  })

  test('a hostile pattern takes no longer than its length times the length of the value', () => {
    const value = `${'a'.repeat(4_000)}/b`
    const started = performance.now()
    for (const pattern of [
      '*a'.repeat(99),
      '**a'.repeat(66),
      '{a,a}'.repeat(40),
      '{*,**}'.repeat(33),
      '**/'.repeat(66),
    ]) {
      matchesPattern(`${pattern}X`.slice(0, 200).replace(/\{[^}]*$/, ''), value)
    }
    // Some milliseconds; what tries every way to match would take years.
    assert.ok(performance.now() - started < 30_000)
  })
})

describe('effort', () => {
  test('is spent by what has to be looked at step by step, and ends the comparison', () => {
    const list = compilePatterns(['*a'.repeat(90) + '*'])
    const effort = { left: 100_000 }
    const values = Array.from({ length: 1_000 }, () => 'a'.repeat(4_000))
    const looked = values.findIndex((value) => !list.matches(value, effort))
    assert.ok(effort.left < 0 && looked < 10)
    assert.equal(list.matches(values[0] ?? '', { left: 10_000_000 }), true)
  })

  test('is not needed where the beginning or the end says no', () => {
    const effort = { left: 0 }
    for (const pattern of ['docs/**', '**/*.md', '*/*/x']) {
      assert.equal(compilePatterns([pattern]).matches('src/index.ts', effort), false)
    }
    assert.equal(effort.left, 0)
  })
})

describe('a list of patterns', () => {
  test('the last pattern that fits decides, and is named', () => {
    const list = compilePatterns(['releases/**', '!releases/**-alpha', 'releases/1-alpha'])
    assert.deepEqual(list.decide('releases/10'), { matched: true, decidedBy: 'releases/**' })
    assert.deepEqual(list.decide('releases/beta/3-alpha'), { matched: false, decidedBy: '!releases/**-alpha' })
    assert.deepEqual(list.decide('releases/1-alpha'), { matched: true, decidedBy: 'releases/1-alpha' })
    assert.deepEqual(list.decide('main'), { matched: false, decidedBy: null })
  })

  test('that is empty or only excludes matches nothing; the second is a problem', () => {
    assert.equal(compilePatterns([]).matches('main'), false)
    assert.equal(compilePatterns(['!main']).matches('next'), false)
    assert.deepEqual(validatePatterns([]), [])
    assert.equal(validatePatterns(['!main'])[0]?.index, null)
  })

  test('each unreadable pattern is a problem of its own', () => {
    assert.deepEqual(
      validatePatterns(['main', '[', '{']).map((problem) => problem.index),
      [1, 2],
    )
  })
})

const piece = fc.constantFrom('*', '**', '?', '/', 'a', 'b', 'A', '**/')
const globs = fc.array(piece, { minLength: 1, maxLength: 10 }).map((pieces) => pieces.join(''))
const values = fc.array(fc.constantFrom('a', 'b', 'A', '/', '.'), { maxLength: 12 }).map((letters) => letters.join(''))

/** Decides the same by brute force, for short inputs. */
function naive(pattern: string, value: string): boolean {
  const stars = /^\*+/.exec(pattern)?.[0].length ?? 0
  if (pattern === '') return value === ''
  if (stars > 0) {
    const rest = pattern.slice(stars)
    for (let taken = 0; taken <= value.length; taken += 1) {
      if (stars === 1 && value.slice(0, taken).includes('/')) return false
      if (naive(rest, value.slice(taken))) return true
    }
    return false
  }
  if (value === '') return false
  const fits = pattern[0] === '?' ? value[0] !== '/' : pattern[0] === value[0]
  return fits && naive(pattern.slice(1), value.slice(1))
}

describe('patterns of repositories', () => {
  for (const pattern of [
    'acme/*',
    'acme/**',
    '**',
    'a/b/{c,d}',
    '~ada/x',
    'My Project/My Repo',
    'acme/[ab]?',
    '!acme/x',
  ]) {
    test(`${pattern} is one`, () => assert.deepEqual(validateRepositoryPatterns(['**', pattern]), []))
  }
  for (const pattern of [
    'acme',
    '*',
    'https://github.com/acme/shop',
    'git@github.com:acme/shop',
    '/acme/shop',
    '!/acme/shop',
    'acme/shop/',
    'acme//shop',
    ' acme/shop',
    'acme/shop ',
    'acme/[',
  ]) {
    test(`${pattern} is none`, () => {
      assert.deepEqual(
        validateRepositoryPatterns(['**', pattern]).map(({ index }) => index),
        [1],
      )
    })
  }
})

describe('for every pattern and value', () => {
  test('the answer is that of trying everything', () => {
    // "**/" as a whole segment has a meaning of its own, tested above.
    const plain = globs.filter((pattern) => !/(^|\/)\*\*+\//.test(pattern))
    fc.assert(
      fc.property(plain, values, (pattern, value) => matchesPattern(pattern, value) === naive(pattern, value)),
      {
        numRuns: 2_000,
      },
    )
  })

  test('a single star never crosses a slash', () => {
    const single = globs.map((pattern) => pattern.replaceAll(/\*+/g, '*'))
    fc.assert(
      fc.property(single, values, (pattern, value) => {
        const slashes = (text: string) => text.split('/').length
        return !matchesPattern(pattern, value) || slashes(pattern) === slashes(value)
      }),
    )
  })

  test('ignoring case is the same as folding both sides first', () => {
    fc.assert(
      fc.property(globs, values, (pattern, value) => {
        const folded = matchesPattern(pattern.toLowerCase(), value.toLowerCase())
        return matchesPattern(pattern, value, { caseInsensitive: true }) === folded
      }),
    )
  })

  test('a pattern is refused with a sentence or works: it never fails otherwise', () => {
    const letters = fc.constantFrom('*', '?', '[', ']', '{', '}', ',', '!', '-', '\\', '/', 'a', '😀')
    const any = fc.oneof(fc.string({ unit: letters, maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 }))
    fc.assert(
      fc.property(any, fc.string({ unit: 'binary' }), (pattern, value) => {
        if (validatePattern(pattern) === undefined) compilePatterns([pattern]).matches(value)
        else assert.throws(() => compilePatterns([pattern]), PatternError)
      }),
      { numRuns: 1_000 },
    )
  })
})
