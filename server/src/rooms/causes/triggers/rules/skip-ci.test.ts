import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event } from '@signalbox/contracts/event'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { aCompiledTrigger } from '../testing.ts'
import { evaluationsOf } from './evaluation.ts'
import { matchTrigger } from './match-trigger.ts'
import { findSkipWord } from './skip-ci.ts'
import type { Trigger } from './trigger.ts'

for (const [message, word] of [
  ['docs [skip ci]', '[skip ci]'],
  ['[CI Skip] docs', '[CI Skip]'],
  ['docs\n\nlonger [no ci]', '[no ci]'],
  ['docs [skip actions]', '[skip actions]'],
  ['docs [actions skip]', '[actions skip]'],
  ['docs ***NO_CI***', '***NO_CI***'],
  ['docs\n\nwhy\n\nskip-checks: true\n', 'skip-checks: true'],
  ['docs\r\n\r\nskip-checks:true\r\nSigned-off-by: mona', 'skip-checks:true'],
] as const) {
  test(`${JSON.stringify(message)} asks for no CI`, () => assert.equal(findSkipWord(message), word))
}

for (const message of [
  'skip ci',
  'docs [skip-ci]',
  'skip-checks: true',
  'docs\n\nskip-checks: true\n\nof course not',
  'docs\n\nskip-checks: false',
  'docs\n\nnot skip-checks: true',
  '',
]) {
  test(`${JSON.stringify(message)} does not`, () => assert.equal(findSkipWord(message), undefined))
}

describe('a push', () => {
  const [older, head] = ['a'.repeat(40), 'b'.repeat(40)]
  const commit = (sha: string, message: string) => ({ sha, message, author: null, timestamp: null, web_url: null })
  const push = (commits: Event['commits'], more: Partial<Event> = {}) => anEvent({ after: head, commits, ...more })
  const match = (event: Event, trigger: Partial<Trigger> = {}) =>
    matchTrigger(aCompiledTrigger(trigger), event, evaluationsOf(event)('acme/web'), {
      sourceId: null,
      visibleTo: () => true,
    })

  test('whose head commit asks for it starts nothing, and the trace says how', () => {
    const { firstFailed, conditions } = match(push([commit(older, 'x'), commit(head, 'docs [skip ci]')]))
    assert.equal(firstFailed, 'skip_ci')
    assert.equal(conditions.at(-1)?.seen, '[skip ci]')
  })

  test('starts where only an older commit asks for it, whatever the order of the list', () => {
    assert.ok(match(push([commit(older, '[skip ci]'), commit(head, 'x')])).matched)
    assert.ok(match(push([commit(head, 'x'), commit(older, '[skip ci]')])).matched)
    assert.ok(match(push([])).matched)
  })

  test('starts where the trigger does not skip', () => {
    assert.ok(match(push([commit(head, '[skip ci]')]), { skipCi: false }).matched)
  })

  test('is not read for its commits where another condition fails', () => {
    const event = push([])
    Object.defineProperty(event, 'commits', {
      get: () => assert.fail('the commits were read'),
    })
    assert.equal(match(event, { branches: ['next'] }).firstFailed, 'ref')
  })
})
