import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event } from '@signalbox/contracts/event'
import { bindValue } from '@signalbox/pipeline/expressions'
import fc from 'fast-check'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { aCompiledTrigger, aStoredTrigger } from '../testing.ts'
import { evaluationsOf } from './evaluation.ts'
import { foldName } from './fold-name.ts'
import { matchTrigger } from './match-trigger.ts'
import type { MatchContext } from './source-condition.ts'
import type { Trigger } from './trigger.ts'
import { type IndexedTrigger, TriggerIndex } from './trigger-index.ts'
import { evaluateVariable, parseVariable } from './variables.ts'

const OPEN: MatchContext = { sourceId: null, visibleTo: () => true }

function match(trigger: Partial<Trigger>, event: Event = anEvent(), context = OPEN) {
  return matchTrigger(aCompiledTrigger(trigger), event, evaluationsOf(event)('acme/web'), context)
}

function anIndex(triggers: readonly IndexedTrigger[]): TriggerIndex {
  const index = new TriggerIndex()
  for (const trigger of triggers) index.put(trigger)
  return index
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

  test('a list of changed files that may be cut never says no', () => {
    for (const changed of [{ changed_paths: null }, { changed_paths: ['src/a'] }]) {
      const result = match({ paths: ['docs/**'] }, anEvent({ ...changed, changed_paths_complete: false }))
      assert.equal(result.matched, true)
      assert.match(result.conditions.find(({ condition }) => condition === 'paths')?.note ?? '', /not complete/)
    }
  })

  test('an expression is not evaluated when another condition failed', () => {
    const result = match({ enabled: false, condition: 'true' })
    assert.deepEqual(result.conditions.at(-1), { condition: 'if', expected: 'true', seen: null, passed: null })
  })
})

const name = fc.stringMatching(/^[A-Za-z0-9_.~ -]{1,8}$/)
const repository = fc.tuple(name, name).map((parts) => parts.join('/'))
const pattern = fc.oneof(
  repository,
  name.map((owner) => `${owner}/*`),
  name.map((part) => `*/${part}`),
  fc.constant('**'),
)

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

  test('the index finds what looking at every trigger finds', () => {
    const list = fc.array(fc.array(pattern, { minLength: 1, maxLength: 3 }), { maxLength: 12 })
    fc.assert(
      fc.property(list, repository, fc.boolean(), (lists, asked, upper) => {
        const triggers = lists.map((repositories, at) =>
          aStoredTrigger({ id: String(at).padStart(3, '0'), repositories }),
        )
        const wanted = upper ? asked.toUpperCase() : asked
        const found = anIndex(triggers).find(wanted)
        const expected = triggers.filter((trigger) => aCompiledTrigger(trigger).repositories?.matches(wanted))
        assert.deepEqual(
          found.map(({ trigger }) => trigger.id),
          expected.map(({ id }) => id),
        )
      }),
    )
  })

  test('only letters of ASCII are folded', () => {
    fc.assert(fc.property(repository, (full) => assert.equal(foldName(full), full.toLowerCase())))
    assert.equal(foldName('\u212Aelvin/\u0130'), '\u212Aelvin/\u0130')
  })

  test('text without an expression is its own value', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('${{'))
        const parsed = parseVariable(text)
        assert.ok(parsed.ok)
        assert.deepEqual(evaluateVariable(parsed.template, null), { ok: true, value: text })
      }),
    )
  })
})

test('twenty thousand triggers of other repositories do not make matching slower', () => {
  const others = Array.from({ length: 20_000 }, (_, at) =>
    aStoredTrigger({ id: `o${at}`, repositories: at % 2 ? [`other/r${at}`] : [`owner${at}/*`] }),
  )
  const index = anIndex([...others, aStoredTrigger()])
  index.find('acme/widgets')
  const startedAt = performance.now()
  for (let at = 0; at < 1000; at += 1) assert.equal(index.find('acme/widgets').length, 1)
  assert.ok(performance.now() - startedAt < 500)
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
      const result = evaluateVariable(parsed.template, event)
      assert.equal(result.ok ? result.value : undefined, value)
    })
  }
  for (const text of ['${{ event.branch', '${{ nothing }}', '${{ }}', `${'${{ }}'.repeat(100)}`]) {
    test(`${text.slice(0, 30)} cannot be read`, () => assert.equal(parseVariable(text).ok, false))
  }
})
