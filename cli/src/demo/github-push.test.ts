import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { githubPush, type Push } from './github-push.ts'

const PUSH: Push = {
  repository: { id: 1, fullName: 'acme/widgets', cloneUrl: 'file:///srv/git/widgets.git', defaultBranch: 'main' },
  ref: 'refs/heads/main',
  before: '0'.repeat(40),
  after: 'b'.repeat(40),
  commits: [
    {
      id: 'b'.repeat(40),
      message: 'Turn the signal to green',
      timestamp: '2026-11-21T10:00:00Z',
      author: { name: 'Mona Lisa', email: 'mona@example.com' },
      added: ['README.md'],
      modified: [],
      removed: [],
    },
  ],
  secret: 'secret',
}

test('the push is signed over the bytes of its body', () => {
  const { headers, body } = githubPush(PUSH)
  const digest = createHmac('sha256', 'secret').update(body).digest('hex')
  assert.equal(headers['X-Hub-Signature-256'], `sha256=${digest}`)
  assert.equal(headers['X-GitHub-Event'], 'push')
})

test('the payload says what was pushed', () => {
  const payload = JSON.parse(githubPush(PUSH).body.toString())
  assert.equal(payload.ref, 'refs/heads/main')
  assert.equal(payload.after, PUSH.after)
  assert.equal(payload.created, true)
  assert.equal(payload.deleted, false)
  assert.equal(payload.repository.full_name, 'acme/widgets')
  assert.equal(payload.repository.clone_url, 'file:///srv/git/widgets.git')
  assert.deepEqual(payload.head_commit.added, ['README.md'])
})

test('every delivery has an id of its own, unless one is given', () => {
  const idOf = (push: Push) => githubPush(push).headers['X-GitHub-Delivery']
  assert.notEqual(idOf(PUSH), idOf(PUSH))
  assert.equal(idOf({ ...PUSH, deliveryId: 'd-1' }), 'd-1')
})
