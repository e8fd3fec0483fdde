import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { ImageReference } from '@signalbox/pipeline/images'
import { parseImageReference } from '@signalbox/pipeline/images'
import { temporaryFolder } from '../../testing/runner-under-test.ts'
import { carriesName, digestOf, isOfThisMachine, isPinned } from './image-names.ts'
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
    assert.equal(known.wasGranted(request, idOf('1')), true)
    assert.equal(known.wasGranted({ ...request, credentials: undefined }, idOf('1')), false)
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

const named = (text: string): ImageReference => {
  const image = parseImageReference(text)
  assert.ok(!('problem' in image))
  return image
}

describe('what an engine knows of an image', () => {
  const web = { id: idOf('1'), user: '', tags: ['ghcr.io/acme/web:1'], digests: [`ghcr.io/acme/web@${idOf('2')}`] }

  test('says whether it is of this machine: by its name, or because Docker had it from nowhere', () => {
    assert.equal(isOfThisMachine(named('ghcr.io/acme/web:1'), web), false)
    assert.equal(isOfThisMachine(named('localhost/web:1'), web), true)
    assert.equal(isOfThisMachine(named('web'), { ...web, digests: [] }), true)
    // One whose tag has moved on.
    assert.equal(isOfThisMachine(named('web'), { ...web, tags: [], digests: [] }), false)
    assert.deepEqual([isPinned(named(`web@${idOf('1')}`)), isPinned(named('web:1'))], [true, false])
  })

  test('says whether it has the name that was asked for', () => {
    assert.equal(carriesName(named('ghcr.io/acme/web:1'), web), true)
    assert.equal(carriesName(named(`ghcr.io/acme/web@${idOf('2')}`), web), true)
    assert.equal(carriesName(named('alpine'), { ...web, tags: ['alpine:latest'] }), true, 'as Docker writes it')
    for (const other of [
      'ghcr.io/acme/web:2',
      'acme/web:1',
      `localhost/web@${idOf('2')}`,
      `ghcr.io/acme/web@${idOf('3')}`,
    ]) {
      assert.equal(carriesName(named(other), web), false, other)
    }
  })

  test('says by what digest it is that one: that of the registry that was asked, or the id where there is none', () => {
    const digests = [`ghcr.io/other/web@${idOf('3')}`, ...web.digests, `ghcr.io/acme/web@${idOf('4')}`]
    assert.equal(digestOf(named('ghcr.io/acme/web:1'), { ...web, digests }), idOf('2'))
    assert.equal(digestOf(named(`ghcr.io/acme/web@${idOf('4')}`), { ...web, digests }), idOf('4'))
    assert.equal(digestOf(named('localhost/web'), web), idOf('1'))
    assert.equal(digestOf(named('localhost/web'), { ...web, id: '1'.repeat(64) }), idOf('1'), 'as Podman writes it')
  })
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
