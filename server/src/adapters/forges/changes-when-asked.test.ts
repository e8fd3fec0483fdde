import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEvent } from '../../../../contracts/src/event/testing.ts'
import { type Changes, changesWhenAsked } from './changes-when-asked.ts'

const CHANGES: Changes = {
  commits: [{ sha: 'c'.repeat(40), message: 'Turn it green', author: null, timestamp: null, web_url: null }],
  changed_paths: ['src/signal.ts'],
  changed_paths_complete: true,
}

/** An event whose changes are read when asked, and how often they were. */
function anUnreadEvent() {
  let times = 0
  const event = changesWhenAsked(anEvent(), () => {
    times += 1
    return CHANGES
  })
  return { event, times: () => times }
}

describe('what a push changed', () => {
  test('is read when somebody asks for one of it, and once', () => {
    const { event, times } = anUnreadEvent()
    assert.equal(event.ref, 'refs/heads/main')
    assert.equal(times(), 0)
    assert.equal(event.changed_paths_complete, true)
    assert.deepEqual(event.changed_paths, ['src/signal.ts'])
    assert.deepEqual(event.commits, CHANGES.commits)
    assert.equal(times(), 1)
  })

  test('is part of the event for all who copy, compare, write or send it', () => {
    const expected = { ...anEvent(), ...CHANGES }
    assert.deepEqual(anUnreadEvent().event, expected)
    assert.deepEqual({ ...anUnreadEvent().event }, expected)
    assert.deepEqual(structuredClone(anUnreadEvent().event), expected)
    assert.deepEqual(JSON.parse(JSON.stringify(anUnreadEvent().event)), expected)
  })
})
