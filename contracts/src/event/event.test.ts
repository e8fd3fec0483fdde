import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Value } from 'typebox/value'
import { Event, EventRepository } from './event.ts'
import { completeEvent, PostedEvent } from './posted-event.ts'
import { anEvent } from './testing.ts'

describe('the provider-neutral event', () => {
  test('a built event is valid', () => {
    assert.deepEqual(Value.Errors(Event, anEvent()), [])
  })

  test('an unknown field is refused', () => {
    assert.equal(Value.Check(Event, { ...anEvent(), changedPaths: [] }), false)
  })

  test('an unknown kind or provider is refused', () => {
    assert.equal(Value.Check(Event, { ...anEvent(), kind: 'pushed' }), false)
    assert.equal(Value.Check(Event, { ...anEvent(), provider: 'sourceforge' }), false)
  })

  test("a full name may name a person's or a spaced project, and holds nothing that could mean something else", () => {
    const names = (full: string) => Value.Check(EventRepository.properties.full_name, full)
    for (const full of ['acme/widgets', 'a/b/c/d', '~mona/widgets', 'acme/My Project/the widgets']) {
      assert.equal(names(full), true, full)
    }
    for (const full of [
      'acme',
      'acme/',
      '/widgets',
      'acme//widgets',
      '~/widgets',
      'acme/~mona',
      ' acme/widgets',
      'acme/widgets ',
      'acme /widgets',
      'acme/ widgets',
      'acme/My  Project',
      'acme/My\tProject',
      'acme/My\u00a0Project',
      'acme/My%20Project',
      'acme/wid*',
      'acme/widgets\n',
      '\u0430cme/widgets',
    ]) {
      assert.equal(names(full), false, JSON.stringify(full))
    }
    assert.equal(names(`a/${'b '.repeat(400)}*`), false)
  })

  test('the zero sha and an abbreviated sha are not commits', () => {
    assert.equal(Value.Check(Event, { ...anEvent(), after: 'abc123' }), false)
    assert.equal(Value.Check(Event, { ...anEvent(), after: '0'.repeat(40) }), false)
    assert.equal(Value.Check(Event, { ...anEvent(), after: null }), true)
  })
})

describe('a posted event', () => {
  test('needs kind, provider and the repository, and nothing else', () => {
    const posted = { kind: 'push', provider: 'gitea', repository: { full_name: 'acme/widgets' } }
    assert.equal(Value.Check(PostedEvent, posted), true)
    assert.equal(Value.Check(PostedEvent, { kind: 'push', provider: 'gitea' }), false)
    assert.equal(Value.Check(PostedEvent, { ...posted, repository: {} }), false)
    assert.equal(Value.Check(PostedEvent, { ...posted, extra: 1 }), false)
  })

  test('is completed with nulls, and its owner and name follow the full name', () => {
    const event = completeEvent({
      kind: 'push',
      provider: 'gitlab',
      repository: { full_name: 'acme/web/widgets', owner: 'evil', name: 'other' },
    })
    assert.deepEqual(Value.Errors(Event, event), [])
    assert.equal(event.repository.owner, 'acme/web')
    assert.equal(event.repository.name, 'widgets')
    assert.equal(event.after, null)
    assert.equal(event.changed_paths_complete, false)
  })
})
