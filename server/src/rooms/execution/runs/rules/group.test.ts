import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunFacts } from '@signalbox/pipeline/facts'
import { aRun } from '../../../../../../pipeline/src/status/testing/index.ts'
import { ancestorsOf, groupOf } from './group.ts'

const at = (group: string) => ({ group, onConflict: 'cancel_running' }) as const
const run = {
  facts: aRun,
  identifier: 'acme/web/deploy',
  event: { branch: 'main' },
  variables: { PLACE: 'north' },
}

test('a group is made of the event and the variables', () => {
  const made = groupOf(at('d-${{ event.branch }}-${{ variables.PLACE }}'), run)
  assert.deepEqual(made, { group: 'd-main-north', onConflict: 'cancel_running', note: undefined })
})

test('a ready key keeps pull requests apart, and the runs of one ref together', () => {
  const keyOf = (facts: Partial<RunFacts>) =>
    groupOf(at('d-${{ run.group_key }}'), { ...run, facts: { ...aRun, ...facts } }).group
  assert.equal(keyOf({}), 'd-acme/shop@refs/heads/main')
  assert.equal(keyOf({ pullRequest: 7, ref: 'refs/pull/7/head', branch: null }), 'd-acme/shop#7')
  assert.notEqual(keyOf({ pullRequest: 7 }), keyOf({ pullRequest: 8 }))
  assert.equal(keyOf({ repository: null, ref: null, branch: null }), `d-${aRun.id}`)
})

test('one that cannot be made ends nobody: the run waits in line, and says why', () => {
  for (const [group, why] of [
    ['d-${{ event.tag }}', /tag/],
    ['${{ "" }}', /it is empty/],
    ['${{ event.branch }}'.padEnd(600, 'x'), /longer than 500/],
  ] as const) {
    const made = groupOf(at(group), run)
    assert.deepEqual([made.group, made.onConflict], ['acme/web/deploy', 'queue'])
    assert.match(made.note ?? '', why)
  }
  const asked = groupOf(at('d-${{ event.branch }}'), { ...run, event: undefined })
  assert.equal(asked.onConflict, 'queue')
  assert.match(asked.note ?? '', /no event started this run/)
})

test('what lies before a commit is told by its event', () => {
  const event = { before: 'a', commits: [{ sha: 'b' }, { sha: 'c' }, {}] }
  assert.deepEqual(ancestorsOf(event, 'c'), ['a', 'b'])
  assert.deepEqual(ancestorsOf(null, 'c'), [])
})
