import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { isOfThisMachine, isPinned } from './image-names.ts'
import { readRefusal } from './images.ts'
import { KnownImages } from './known-images.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const path = join(folder.path, 'open-images')
const idOf = (digit: string): string => `sha256:${digit.repeat(64)}`

describe('what a runner knows of images', () => {
  test('that take no password outlives it', () => {
    const known = new KnownImages(path)
    known.opened(idOf('1'))
    known.opened(idOf('2'))
    known.closed(idOf('1'))
    const later = new KnownImages(path)
    assert.deepEqual([later.isOpen(idOf('1')), later.isOpen(idOf('2'))], [false, true])
    writeFileSync(path, `${idOf('3')}\nwhat is this\n${idOf('4').slice(0, 20)}`)
    assert.equal(new KnownImages(path).isOpen(idOf('3')), true)
  })

  test('that a registry gave is for the same run, name, password and image', () => {
    const known = new KnownImages(path)
    const credentials = { username: 'ada', password: 'secret' }
    const request = { runId: 'r', image: 'x', credentials }
    known.granted(request, idOf('1'))
    assert.equal(known.isGranted({ ...request }, idOf('1')), true)
    assert.equal(known.isGranted(request, idOf('2')), false, 'another run had a newer one pulled')
    for (const other of [
      { ...request, runId: 's' },
      { ...request, image: 'y' },
      { ...request, credentials: undefined },
      { ...request, credentials: { ...credentials, password: 'other' } },
    ]) {
      assert.equal(known.isGranted(other, idOf('1')), false, JSON.stringify(other))
    }
  })
})

test('an image of this machine is one by its name, or one that Docker had from nowhere', () => {
  const facts = { id: idOf('1'), user: '', tags: ['ghcr.io/acme/web:1'], digests: [`ghcr.io/acme/web@${idOf('2')}`] }
  assert.equal(isOfThisMachine('ghcr.io/acme/web:1', facts), false)
  assert.equal(isOfThisMachine('localhost/web:1', facts), true)
  assert.equal(isOfThisMachine('web', { ...facts, digests: [] }), true)
  assert.equal(isOfThisMachine('web', { ...facts, tags: ['localhost/web:1'], digests: ['localhost/web@x'] }), true)
  // An id of one whose tag has moved on.
  assert.equal(isOfThisMachine('1'.repeat(64), { ...facts, tags: [], digests: [] }), false)
  assert.deepEqual([isPinned(`web@${idOf('1')}`), isPinned('web:1'), isPinned('web@sha256:11')], [true, false, false])
})

test('what an engine says of a registry is read as a no, as not knowing the name, or as no answer', () => {
  for (const [reason, refusal] of [
    ["pull access denied for acme/web, repository does not exist or may require 'docker login'", 'denied'],
    ['reading manifest latest in ghcr.io/acme/web: unauthorized: authentication required', 'denied'],
    ['pull access denied, insufficient_scope: authorization failed', 'denied'],
    ['Head "https://1.dkr.ecr.eu.amazonaws.com/v2/web/manifests/1": no basic auth credentials', 'denied'],
    ['unexpected status from HEAD request to https://ghcr.io/v2/web/manifests/1: 403 Forbidden', 'denied'],
    ['manifest for alpine:none not found: manifest unknown: manifest unknown', 'unknown'],
    ['reading manifest none in 127.0.0.1:5000/web: StatusCode: 404, {}', 'unknown'],
    ['Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host', 'away'],
    ['pinging container registry 127.0.0.1:5000: dial tcp 127.0.0.1:5000: connect: connection refused', 'away'],
    ['reading manifest latest in ghcr.io/acme/web: received unexpected HTTP status: 503', 'away'],
    ['toomanyrequests: You have reached your unauthenticated pull rate limit', 'away'],
  ] as const) {
    assert.equal(readRefusal(reason), refusal, reason)
  }
})
