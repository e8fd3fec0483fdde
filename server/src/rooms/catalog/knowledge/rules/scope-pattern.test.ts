import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compilePattern } from '@signalbox/pipeline/patterns'
import fc from 'fast-check'
import { canFitWithin, findPatternFault, isLiteral, teamOfPattern } from './scope-pattern.ts'

describe('patterns of scopes', () => {
  for (const [pattern, team] of [
    ['**', '/'],
    ['*/production', '/'],
    ['acme*/production', '/'],
    ['{acme,other}/**', '/'],
    ['acme/**', 'acme'],
    ['acme/*/production', 'acme'],
    ['acme/we*/production', 'acme'],
    ['acme/web/**', 'acme/web'],
    ['acme/web/production', 'acme/web'],
    ['acme/web/prod?', 'acme/web'],
  ] as const) {
    test(`${pattern} lies under ${team}`, () => assert.equal(teamOfPattern(pattern), team))
  }

  test('whatever fits lies under the team of the pattern', () => {
    const part = fc.constantFrom('acme', 'web', 'ops', '*', '**', 'a*', '{acme,ops}', '[a-z]cme', '?')
    const word = fc.constantFrom('acme', 'web', 'ops', 'test')
    const many = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: 2, maxLength: 4 }).map((all) => all.join('/'))
    fc.assert(
      fc.property(many(part), many(word), (pattern, scope) => {
        fc.pre(compilePattern(pattern)(scope))
        const team = teamOfPattern(pattern)
        assert.ok(team === '/' || scope.startsWith(`${team}/`), `${scope} is not under ${team}`)
        for (let at = scope.lastIndexOf('/'); at > 0; at = scope.lastIndexOf('/', at - 1)) {
          assert.ok(canFitWithin(pattern, scope.slice(0, at)), `${pattern} fits ${scope}`)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('a pattern that can fit nothing of a team is known', () => {
    for (const pattern of ['other/**', 'acme/ops/*', 'acme/web', 'acme/web2/test', 'acme/we']) {
      assert.equal(canFitWithin(pattern, 'acme/web'), false, pattern)
    }
    for (const pattern of ['**', '*/web/test', 'acme/**', 'acme/web/**', 'acme/web/test', 'acme/w*/test']) {
      assert.ok(canFitWithin(pattern, 'acme/web'), pattern)
    }
    assert.ok(canFitWithin('anything/else', '/'))
  })

  test('what is no pattern is said', () => {
    assert.match(findPatternFault('!acme/**') ?? '', /leave the "!" out/)
    assert.match(findPatternFault('/acme/**') ?? '', /must not begin with/)
    assert.match(findPatternFault('acme') ?? '', /write acme\/\*\* for a team/)
    assert.notEqual(findPatternFault('acme/['), undefined)
    for (const pattern of ['**', 'acme/**', 'acme/web/production']) assert.equal(findPatternFault(pattern), undefined)
    assert.deepEqual(['acme/web/test', 'acme/web/*'].map(isLiteral), [true, false])
  })
})
