import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConditionTrace, TriggerTrace } from '@signalbox/contracts/events'
import fc from 'fast-check'
import { findNearestRules } from './nearest-rules.ts'

type Condition = ConditionTrace['condition']

function aRule(name: string, failed: readonly Condition[] = [], teamPath = 'acme/web'): TriggerTrace {
  return {
    layer: 'service_trigger',
    trigger_id: null,
    name,
    team_path: teamPath,
    pipeline: 'acme/web/build',
    matched: failed.length === 0,
    first_failed: failed[0] ?? null,
    conditions: failed.map((condition) => ({ condition, expected: '', seen: null, passed: false })),
    outcome: failed.length === 0 ? 'started' : 'not_matched',
    reason: null,
    run_id: null,
  }
}

const many = (count: number, failed: Condition, teamPath?: string) =>
  Array.from({ length: count }, (_, at) => aRule(`${failed}-${at}`, [failed], teamPath))

const names = (traces: readonly TriggerTrace[], limit = 100) =>
  findNearestRules(traces, limit).shown.map(({ name }) => name)

describe('the rules that a trace shows', () => {
  test('come in the order of nearness: what matched, what is only switched off, then who failed last', () => {
    const rules = [
      aRule('of another source', ['source', 'ref']),
      aRule('another kind', ['event']),
      aRule('no condition', ['if']),
      aRule('other branch', ['ref', 'if']),
      aRule('switched off', ['enabled']),
      aRule('switched off and other branch', ['enabled', 'ref']),
      aRule('started'),
    ]
    assert.deepEqual(names(rules), [
      'started',
      'switched off',
      'no condition',
      'other branch',
      'switched off and other branch',
      'another kind',
      'of another source',
    ])
  })

  test('are the nearest ones although older ones of other sources would fill all places; the rest is counted', () => {
    const rules = [...many(150, 'source'), ...many(3, 'event'), aRule('near', ['paths']), aRule('started')]
    const { shown, note } = findNearestRules(rules, 100)
    assert.equal(shown.length, 100)
    assert.deepEqual(names(rules).slice(0, 5), ['started', 'near', 'event-0', 'event-1', 'event-2'])
    assert.equal(
      note,
      '155 rules were considered, and the 55 that were farthest from a start are left out: 55 fail at source.',
    )
  })

  test('hold those of each team, however many near ones another team has', () => {
    const rules = [...many(200, 'if', 'acme/loud'), aRule('quiet', ['source'], 'acme/quiet')]
    assert.ok(names(rules).includes('quiet'))
  })

  test('are some of those that were considered, each once, what matched first, at most as many as asked', () => {
    const rule = fc.record({
      name: fc.string(),
      failed: fc.subarray<Condition>(['enabled', 'source', 'event', 'ref', 'if']),
      team: fc.constantFrom('a', 'b', 'c'),
    })
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (given, limit) => {
        const rules = given.map(({ name, failed, team }) => aRule(name, failed, team))
        const { shown, note } = findNearestRules(rules, limit)
        assert.equal(new Set(shown).size, Math.min(limit, rules.length))
        assert.ok(shown.every((each) => rules.includes(each)))
        const matched = shown.map((each) => each.matched)
        assert.ok(!matched.includes(false) || !matched.slice(matched.indexOf(false)).includes(true))
        assert.equal(note === undefined, rules.length <= limit)
      }),
    )
  })
})
