import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnsafeCarrier } from './credential-carrier.ts'

test('a credential travels over https, and over http on this machine alone', () => {
  for (const url of [
    'https://git.example/a/b.git',
    'http://127.0.0.1:3000/a/b.git',
    'http://localhost/a',
    'http://[::1]:3/a',
  ]) {
    assert.equal(findUnsafeCarrier(url), undefined, url)
  }
  for (const url of [
    'http://git.example/a/b.git',
    'http://127.0.0.1.evil.example/a',
    'http://localhost.evil.example/a',
    'no address',
  ]) {
    assert.ok(findUnsafeCarrier(url), url)
  }
})
