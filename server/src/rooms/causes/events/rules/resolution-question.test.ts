import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQuestion } from './resolution-question.ts'

test('a ref that is not full is a branch, or a tag for events about tags; without a kind it is a push', () => {
  const read = (ref: string | null, kind?: Parameters<typeof readQuestion>[2]) => {
    const { repository, ...rest } = readQuestion('group/sub/repo', ref, kind)
    assert.equal(repository, 'group/sub/repo')
    return [rest.ref, rest.event]
  }
  assert.deepEqual(read('main', 'pull_request'), ['refs/heads/main', 'pull_request'])
  assert.deepEqual(read('main'), ['refs/heads/main', 'push'])
  assert.deepEqual(read('refs/tags/v1'), ['refs/tags/v1', 'tag'])
  assert.deepEqual(read(null), [null, 'push'])
  assert.deepEqual(read('v1', 'tag'), ['refs/tags/v1', 'tag'])
  assert.deepEqual(read('v1', 'tag_deleted'), ['refs/tags/v1', 'tag_deleted'])
  assert.deepEqual(read('v1', 'release'), ['refs/tags/v1', 'release'])
})
