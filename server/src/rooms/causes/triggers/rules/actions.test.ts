import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACTIONS_OF, EVENT_KINDS, type EventKind } from '@signalbox/contracts/event'
import { findActionFault } from './actions.ts'
import { DEFAULT_ACTIONS } from './match-trigger.ts'

describe('an action', () => {
  test('is taken where one of the events can have it, or somebody may have made it up', () => {
    for (const kind of EVENT_KINDS) {
      for (const action of [...(DEFAULT_ACTIONS[kind] ?? ACTIONS_OF[kind]), 'other', 'nightly']) {
        assert.equal(findActionFault([kind], action), undefined, `${kind} ${action}`)
      }
    }
    assert.equal(findActionFault(['push', 'pull_request'], 'opened'), undefined)
  })

  const refused: [readonly EventKind[], string, RegExp][] = [
    [['pull_request'], 'synchronize', /^no pull_request is synchronize: did you mean synchronized\?$/],
    [['pull_request'], 'merge', /did you mean merged\?$/],
    [['push', 'pull_request'], 'fulfilled', /^no push or pull_request is fulfilled: did you mean merged\?$/],
    [['pull_request'], 'updated', /write synchronized for new commits, edited for the rest$/],
    [['pull_request_comment'], 'create', /did you mean created\?$/],
    [
      ['push'],
      'opened',
      /^no push is opened, which is an action of pull_request: write one of created, updated, deleted$/,
    ],
    [['ping'], 'labeled', /: leave it out$/],
  ]
  for (const [kinds, action, message] of refused) {
    test(`${action} of ${kinds.join(' and ')} is refused with the word that is meant`, () => {
      assert.match(findActionFault(kinds, action) ?? '', message)
    })
  }
})
