import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event } from '@signalbox/contracts/event'
import { bindValue } from '@signalbox/pipeline/expressions'
import fc from 'fast-check'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { aCompiledTrigger } from '../testing.ts'
import { evaluationsOf } from './evaluation.ts'
import { matchTrigger } from './match-trigger.ts'
import type { MatchContext } from './source-condition.ts'
import type { Trigger } from './trigger.ts'
import { evaluateVariable, parseVariable } from './variables.ts'

const OPEN: MatchContext = { sourceId: null, visibleTo: () => true }

function match(trigger: Partial<Trigger>, event: Event = anEvent(), context = OPEN) {
  return matchTrigger(aCompiledTrigger(trigger), event, evaluationsOf(event)('acme/web'), context)
}

function failed(trigger: Partial<Trigger>, event?: Event, context?: MatchContext): string | null {
  return match(trigger, event, context).firstFailed
}

describe('each condition', () => {
  const tag = anEvent({ kind: 'tag', ref: 'refs/tags/v1', branch: null, tag: 'v1' })
  const pull = (action: string, more: Partial<Event> = {}) => anEvent({ kind: 'pull_request', action, ...more })
  const cases: [string, Partial<Trigger>, Event, string | null][] = [
    ['a push to its repository', {}, anEvent(), null],
    ['disabled', { enabled: false }, anEvent(), 'enabled'],
    ['another kind of event', {}, tag, 'event'],
    ['a branch of the list', { branches: ['main', 'release/**'] }, anEvent({ branch: 'release/1/2' }), null],
    ['a branch that is excluded again', { branches: ['**', '!wip/**'] }, anEvent({ branch: 'wip/x' }), 'ref'],
    ['a tag, where only branches are named', { events: ['tag'], branches: ['**'] }, tag, 'ref'],
    ['a branch, where only tags are named', { tags: ['v*'] }, anEvent(), 'ref'],
    ['a tag, where both are named', { events: ['push', 'tag'], branches: ['main'], tags: ['v*'] }, tag, null],
    ['a pull request that was opened', { events: ['pull_request'] }, pull('opened'), null],
    ['a pull request that was reopened', { events: ['pull_request'] }, pull('reopened'), null],
    ['new commits of a pull request', { events: ['pull_request'] }, pull('synchronized'), null],
    ['a pull request that was closed', { events: ['pull_request'] }, pull('closed'), 'action'],
    ['a label, where no actions are named', { events: ['pull_request'] }, pull('labeled'), 'action'],
    ['a label that is asked for', { events: ['pull_request'], actions: ['labeled'] }, pull('labeled'), null],
    ['a changed path', { paths: ['src/**'] }, anEvent(), null],
    ['no changed path', { paths: ['docs/**'] }, anEvent(), 'paths'],
    ['an excluded path', { paths: ['**', '!src/**'] }, anEvent(), 'paths'],
    ['an expression that holds', { condition: 'event.branch == "main"' }, anEvent(), null],
    ['an expression that does not', { condition: 'event.branch == "next"' }, anEvent(), 'if'],
    ['an expression that fails', { condition: 'event.pull_request.number == 1' }, anEvent(), 'if'],
    ['an expression that is no condition', { condition: 'event.branch' }, anEvent(), 'if'],
    ['a lost source', { sourceLostAt: new Date() }, anEvent(), 'source'],
    ['another source', { sourceId: 'a' }, anEvent(), 'source'],
  ]
  for (const [name, trigger, event, expected] of cases) {
    test(`${name}: ${expected ?? 'matches'}`, () => assert.equal(failed(trigger, event), expected))
  }

  test('a source that the owner may not see', () => {
    assert.equal(failed({}, anEvent(), { sourceId: 'a', visibleTo: () => false }), 'source')
    assert.equal(failed({ sourceId: 'a' }, anEvent(), { sourceId: 'a', visibleTo: () => true }), null)
  })

  test('a source that an owner may not see who may do nothing any more: the trace names the owner, not the source', () => {
    const noteOf = (kind: 'user' | 'bootstrap', name: string, acts: boolean) => {
      const context = { sourceId: 'a', visibleTo: () => false, acts: () => acts }
      const { conditions } = match({ owner: { kind, id: name, name } }, anEvent(), context)
      return conditions.find(({ condition }) => condition === 'source')?.note
    }
    assert.equal(noteOf('user', 'ada', true), 'ada may not see this source, and it is not shared.')
    assert.equal(
      noteOf('user', 'ada', false),
      'Its owner, ada, does not exist any more, or is disabled. Save the trigger again to own it.',
    )
    assert.equal(
      noteOf('bootstrap', 'bootstrap token', false),
      'Its owner, the bootstrap token, was revoked. Save the trigger again to own it.',
    )
  })

  describe('a list of changed files that is not complete never says no, and the trace says why', () => {
    const base = { changed_paths: ['src/a'], changed_paths_complete: false }
    const reasons: [string, Partial<Event>, RegExp][] = [
      ['a large push', base, /does not list every changed file of a push of this size/],
      ['a push moved by force', { ...base, forced: true }, /moved by force/],
      ['a new branch', { ...base, action: 'created', before: null }, /the branch is new/],
      ['a push of unknown base', { ...base, before: null }, /not known/],
      ['a push without a list', { ...base, changed_paths: null }, /sends no list of changed files/],
      ['a pull request', { ...base, kind: 'pull_request', action: 'opened' }, /files that a pull request changes/],
      ['a tag', { ...base, kind: 'tag', changed_paths: null }, /the kind tag comes without/],
    ]
    for (const [name, event, reason] of reasons) {
      test(name, () => {
        const result = match({ events: ['push', 'pull_request', 'tag'], paths: ['docs/**'] }, anEvent(event))
        const trace = result.conditions.find(({ condition }) => condition === 'paths')
        assert.deepEqual([result.matched, result.pathsUndecided, trace?.passed], [true, true, true])
        assert.match(trace?.note ?? '', /^The list of changed files is not complete, so the trigger runs\. /)
        assert.match(trace?.note ?? '', reason)
      })
    }

    test('a file that is known decides all the same', () => {
      const result = match({ paths: ['src/**'] }, anEvent(base))
      assert.deepEqual([result.matched, result.pathsUndecided], [true, false])
    })

    test('another reason may be given by whoever tried to complete it', () => {
      const context = { ...OPEN, pathsUnknownBecause: 'The repository could not be fetched.' }
      const { conditions } = match({ paths: ['docs/**'] }, anEvent(base), context)
      assert.match(conditions.at(-1)?.note ?? '', /could not be fetched\.$/)
    })

    test('where something else failed it is not undecided', () => {
      assert.equal(match({ paths: ['docs/**'], enabled: false }, anEvent(base)).pathsUndecided, false)
    })
  })

  test('patterns that take too long leave the changed files undecided, whatever the list is', () => {
    const changed_paths = Array.from({ length: 500 }, () => `${'a'.repeat(4_000)}c`)
    const result = match({ paths: [`${'*a'.repeat(90)}*b*`] }, anEvent({ changed_paths }))
    assert.deepEqual([result.matched, result.pathsUndecided], [true, false])
    assert.match(result.conditions.at(-1)?.note ?? '', /takes too long, so the trigger runs/)
  })

  test('the expressions of a team share what they may cost', () => {
    const event = anEvent({ changed_paths: Array.from({ length: 10_000 }, (_, at) => `docs/${at}`) })
    const evaluation = evaluationsOf(event)('acme/web')
    const compiled = aCompiledTrigger({ condition: 'event.changed_paths.exists(path, path == "none")' })
    const results = Array.from({ length: 10 }, () => matchTrigger(compiled, event, evaluation, OPEN))
    assert.equal(results[0]?.conditions.at(-1)?.seen, 'false')
    assert.match(results.at(-1)?.conditions.at(-1)?.note ?? '', /the expressions of acme\/web take more than/)
    assert.equal(match({ condition: 'event.branch == "main"' }, event).matched, true)
  })

  test('an expression is not evaluated when another condition failed', () => {
    const result = match({ enabled: false, condition: 'true' })
    assert.deepEqual(result.conditions.at(-1), { condition: 'if', expected: 'true', seen: null, passed: null })
  })
})

const name = fc.stringMatching(/^[A-Za-z0-9_.~ -]{1,8}$/)
describe('properties', () => {
  test('it matches exactly when no condition failed, and the first failed is the first', () => {
    const event = fc.record({
      kind: fc.constantFrom('push' as const, 'tag' as const, 'pull_request' as const),
      branch: fc.option(name),
      tag: fc.option(name),
      changed_paths: fc.option(fc.array(name, { maxLength: 3 })),
      changed_paths_complete: fc.boolean(),
    })
    const trigger = fc.record({
      enabled: fc.boolean(),
      branches: fc.array(name, { maxLength: 2 }),
      tags: fc.array(name, { maxLength: 2 }),
      paths: fc.array(name, { maxLength: 2 }),
      condition: fc.constantFrom(null, 'true', 'false', 'event.nothing'),
    })
    fc.assert(
      fc.property(trigger, event, (definition, seen) => {
        const result = match({ ...definition, events: ['push', 'tag'] }, anEvent(seen))
        const first = result.conditions.find(({ passed }) => passed === false)
        assert.equal(result.firstFailed, first?.condition ?? null)
        assert.equal(result.matched, first === undefined)
        assert.ok(result.matched ? result.conditions.every(({ passed }) => passed === true) : true)
      }),
    )
  })

  test('text without an expression is its own value', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('${{'))
        const parsed = parseVariable(text)
        assert.ok(parsed.ok)
        assert.deepEqual(evaluateVariable(parsed.template, { run: null, event: null }), { ok: true, value: text })
      }),
    )
  })
})

describe('variables', () => {
  const event = bindValue(anEvent())
  const cases: [string, string | undefined][] = [
    ['plain', 'plain'],
    ['${{ event.branch }}', 'main'],
    ['on ${{event.branch}} of ${{ event.repository.name }}!', 'on main of widgets!'],
    ['${{ event.tag }}', ''],
    ['${{ 1 + 1 }} ${{ true }}', '2 true'],
    ['$${{ event.branch }}', '${{ event.branch }}'],
    ['${{ {"a": {"b": "c"}}.a.b }}', 'c'],
    ['${{ event.commits }}', undefined],
    ['${{ event.pull_request.title }}', undefined],
  ]
  for (const [text, value] of cases) {
    test(text, () => {
      const parsed = parseVariable(text)
      assert.ok(parsed.ok, JSON.stringify(parsed))
      const result = evaluateVariable(parsed.template, { run: null, event })
      assert.equal(result.ok ? result.value : undefined, value)
    })
  }
  for (const text of ['${{ event.branch', '${{ nothing }}', '${{ }}', `${'${{ }}'.repeat(100)}`]) {
    test(`${text.slice(0, 30)} cannot be read`, () => assert.equal(parseVariable(text).ok, false))
  }
})
