import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event } from '@signalbox/contracts/event'
import { anEvent } from '../../../../../../contracts/src/event/testing.ts'
import { aCompiledTrigger } from '../testing.ts'
import { evaluationsOf } from './evaluation.ts'
import { evaluateConcurrency, evaluateVariables } from './start-values.ts'
import type { Trigger } from './trigger.ts'

const pull = (number: number): Event['pull_request'] => ({
  number,
  title: 'Bake more',
  draft: false,
  labels: [],
  head: { ref: 'topic', sha: 'c'.repeat(40), repository: 'acme/widgets' },
  base: { ref: 'main', sha: 'd'.repeat(40), repository: 'acme/widgets' },
  from_fork: false,
  merged: false,
  author: null,
  web_url: null,
})

function groupOf(group: string, event: Event = anEvent()) {
  const compiled = aCompiledTrigger({ concurrency: { group, onConflict: 'queue' } })
  const result = evaluateConcurrency(compiled, evaluationsOf(event)('acme/web'))
  return result.ok ? result.concurrency?.group : result.problem
}

describe('a concurrency group', () => {
  const cases: [string, Partial<Event>, string | RegExp][] = [
    ['deploy', {}, 'deploy'],
    ['deploy-${{ event.branch }}', {}, 'deploy-main'],
    [' ${{ event.branch }} ', {}, 'main'],
    ['${{ event.tag }}', {}, /^The concurrency group is empty for this event\.$/],
    ['${{ event.pull_request.number }}', {}, /^The concurrency group cannot be made: /],
    ['${{ event.commits }}', {}, /gives a list/],
    ['${{ run.group_key }}', {}, 'acme/widgets@refs/heads/main'],
    ['${{ run.group_key }}', { pull_request: pull(7) }, 'acme/widgets#7'],
    ['${{ run.group_key }}', { pull_request: pull(8) }, 'acme/widgets#8'],
    ['${{ run.head_ref }} to ${{ run.base_ref }}', { pull_request: pull(8) }, 'topic to main'],
    ['b${{ run.branch }}', { pull_request: pull(8) }, 'b'],
    ['${{ event.branch }}', { branch: 'b'.repeat(501) }, /longer than 500 characters/],
  ]
  for (const [group, event, expected] of cases) {
    test(`${group} of ${JSON.stringify(event).slice(0, 20)}`, () => {
      const result = groupOf(group, anEvent(event))
      if (typeof expected === 'string') assert.equal(result, expected)
      else assert.match(String(result), expected)
    })
  }

  test('none is none', () => {
    const result = evaluateConcurrency(aCompiledTrigger(), evaluationsOf(anEvent())('acme/web'))
    assert.deepEqual(result, { ok: true, concurrency: null })
  })
})

test('the variable that cannot be made is named', () => {
  const variables: Trigger['variables'] = { A: 'a', B: '${{ event.release.tag }}' }
  const result = evaluateVariables(aCompiledTrigger({ variables }), evaluationsOf(anEvent())('acme/web'))
  assert.match(result.ok ? '' : result.problem, /^The variable B cannot be made: /)
})
