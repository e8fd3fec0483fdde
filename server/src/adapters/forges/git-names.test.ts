import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventRepository } from '@signalbox/contracts/event'
import { Value } from 'typebox/value'
import { isFullName, isRef, isZeroSha, readSha } from './git-names.ts'

test('a full name is two or more plain segments', () => {
  for (const name of ['acme/widgets', 'acme/web/widgets', 'A.c-m_e/w.x', '~mona/widgets', '~MONA.L/w']) {
    assert.equal(isFullName(name), true, name)
    assert.ok(Value.Check(EventRepository.properties.full_name, name), `an event refuses ${name}`)
  }
  for (const name of [
    '',
    'acme',
    'acme/',
    '/acme',
    'acme//widgets',
    'acme/..',
    'acme/widgets/../other',
    './acme',
    'acme/wid gets',
    '~',
    '~/widgets',
    '~~mona/widgets',
    'mona~/widgets',
    'acme/~mona',
    'acme/~mona/widgets',
    'acme/widgets\n',
    'acme/widgets\0',
    '\u0430cme/widgets',
    `acme/${'w'.repeat(400)}`,
  ]) {
    assert.equal(isFullName(name), false, JSON.stringify(name))
  }
})

test('a ref may look hostile: it is a name, and stays as it is', () => {
  for (const ref of [
    'refs/heads/main',
    'refs/heads/zzz";echo${IFS}"hello";#',
    'refs/heads/$(touch${IFS}owned)',
    'refs/heads/`id`',
    'refs/heads/-oProxyCommand=x',
    'refs/heads/refs/tags/v1',
    `refs/heads/${'a'.repeat(40)}`,
    'refs/heads/\u202Egnp.exe',
    'refs/heads/__proto__',
    'refs/heads/grün/😀',
  ]) {
    assert.equal(isRef(ref), true, ref)
  }
})

test('what git check-ref-format refuses is no ref', () => {
  for (const ref of [
    '',
    'main',
    'heads/main',
    'refs/',
    'refs/heads',
    'refs/heads/',
    'refs/heads/a..b',
    'refs/heads/.a',
    'refs/heads/a.lock',
    'refs/heads/a.lock/b',
    'refs/heads/a.',
    'refs/heads//a',
    'refs/heads/a b',
    'refs/heads/a~1',
    'refs/heads/a^',
    'refs/heads/a:b',
    'refs/heads/a?',
    'refs/heads/a*',
    'refs/heads/[a',
    'refs/heads/a\\b',
    'refs/heads/a@{1',
    'refs/heads/a\u0000',
    'refs/heads/a\u001b[31m',
    'refs/heads/a\u007f',
    'refs/heads/\ud800',
    `refs/heads/${'a'.repeat(1_000)}`,
  ]) {
    assert.equal(isRef(ref), false, JSON.stringify(ref))
  }
})

test('a sha is whole, in lower case and not zero', () => {
  assert.equal(readSha('a'.repeat(40)), 'a'.repeat(40))
  assert.equal(readSha('a'.repeat(64)), 'a'.repeat(64))
  for (const value of ['a'.repeat(39), 'A'.repeat(40), 'g'.repeat(40), '0'.repeat(40), '', null, 7, ['a'.repeat(40)]]) {
    assert.equal(readSha(value), undefined)
  }
  assert.equal(isZeroSha('0'.repeat(40)), true)
  assert.equal(isZeroSha('0'.repeat(64)), true)
  assert.equal(isZeroSha('0'), false)
})
