import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ancestorsOf, groupOf } from './group.ts'

const at = (group: string) => ({ group, onConflict: 'cancel_running' }) as const
const run = { identifier: 'acme/web/deploy', event: { branch: 'main' }, variables: { PLACE: 'north' } }

test('a group is made of the event and the variables', () => {
  const made = groupOf(at('d-${{ event.branch }}-${{ variables.PLACE }}'), run)
  assert.deepEqual(made, { group: 'd-main-north', onConflict: 'cancel_running', note: undefined })
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
  assert.equal(groupOf(at('d-${{ event.branch }}'), { ...run, event: undefined }).onConflict, 'queue')
})

test('what lies before a commit is told by its event', () => {
  const event = { before: 'a', commits: [{ sha: 'b' }, { sha: 'c' }, {}] }
  assert.deepEqual(ancestorsOf(event, 'c'), ['a', 'b'])
  assert.deepEqual(ancestorsOf(null, 'c'), [])
})
