import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Value } from 'typebox/value'
import { Event, EventRepository } from './event.ts'
import { completeEvent, findOtherName, PostedEvent } from './posted-event.ts'
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

  test('is about the branch or tag that its full ref names, where it does not say so itself', () => {
    const repository = { full_name: 'acme/widgets' }
    const named = (specifics: Partial<PostedEvent>) => {
      const { branch, tag } = completeEvent({ kind: 'push', provider: 'generic', repository, ...specifics })
      return [branch, tag]
    }
    assert.deepEqual(named({ ref: 'refs/heads/feature/a' }), ['feature/a', null])
    assert.deepEqual(named({ kind: 'tag', ref: 'refs/tags/v1', branch: null }), [null, 'v1'])
    assert.deepEqual(named({ ref: 'refs/notes/commits' }), [null, null])
    assert.deepEqual(named({ ref: 'refs/heads/' }), [null, null])
    // The head of a pull request is not the branch that it enters.
    assert.deepEqual(named({ kind: 'pull_request', ref: 'refs/heads/green' }), [null, null])
  })

  test('names nothing else than its full ref', () => {
    const other = (event: Partial<PostedEvent>) => findOtherName({ kind: 'push', ...event })
    assert.equal(other({ ref: 'refs/heads/main', branch: 'main', tag: null }), undefined)
    assert.equal(other({ ref: 'refs/heads/dev', branch: 'main' }), 'branch')
    assert.equal(other({ ref: 'refs/heads/dev', tag: 'v1' }), 'tag')
    assert.equal(other({ ref: 'refs/tags/v1', branch: 'main' }), 'branch')
    assert.equal(other({ kind: 'tag', ref: 'refs/tags/v1', tag: 'v2' }), 'tag')
    assert.equal(other({ kind: 'release', ref: 'refs/heads/main', tag: 'v1' }), undefined)
    assert.equal(other({ kind: 'pull_request', ref: 'refs/heads/green', branch: 'main' }), undefined)
    assert.equal(other({ branch: 'main' }), undefined)
  })
})
