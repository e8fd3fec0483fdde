import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileExpression } from '../expressions/index.ts'
import { findUnknownName } from './unknown-names.ts'

function unknownIn(text: string): string | undefined {
  const compiled = compileExpression(text, { identifiers: ['event'] })
  assert.ok(compiled.ok, text)
  return findUnknownName([compiled.expression], {})?.message
}

test('a field of an event is known however deep it lies, and whatever may be null on the way', () => {
  for (const text of [
    'event.branch.startsWith("x")',
    'event["branch"]',
    'event.pull_request.head.sha',
    'event.pull_request.author.login',
    'has(event.comment.body)',
    'event.commits[0].message',
    'event.commits.exists(commit, commit.author.login == "mona")',
    'event.changed_paths.size() > 1',
    'event',
  ]) {
    assert.equal(unknownIn(text), undefined, text)
  }
})

test('a field that no event has is named, with the one that is meant', () => {
  assert.equal(unknownIn('event.brnch == "x"'), '`event` has no field `brnch`: did you mean `event.branch`?')
  assert.equal(
    unknownIn('has(event.pull_request.head.hsa)'),
    '`event.pull_request.head` has no field `hsa`: did you mean `event.pull_request.head.sha`?',
  )
  assert.match(
    unknownIn('event.comment.reactions') ?? '',
    /^`event\.comment` has no field `reactions`: it has id, body/,
  )
  assert.match(unknownIn('event.commits.map(c, c.sha + event.brach)') ?? '', /`event\.branch`/)
})
