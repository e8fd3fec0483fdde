import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asDelivered, judgeShown, judgeTold, type ToldComment } from './judge-comment.ts'

const AT = new Date('2026-11-28T10:00:00.000Z')
const told: ToldComment = {
  bodySha256: 'aa',
  authorId: '1',
  authorLogin: 'mona',
  isBot: false,
  postedAt: '2026-11-28T09:59:58Z',
  receivedAt: AT,
}
const shown = { bodySha256: 'aa', authorId: '1', authorLogin: 'mona' }

test('a comment of a person that is as it was posted counts', () => {
  assert.equal(judgeTold(told, 'app[bot]'), undefined)
  assert.equal(judgeTold({ ...told, postedAt: null }, undefined), undefined)
  assert.equal(judgeShown(told, shown, 'app[bot]'), undefined)
  // Who is called otherwise by now is the same person still.
  assert.equal(judgeShown(told, { ...shown, authorLogin: 'lisa' }, undefined), undefined)
})

test('a bot, our own app, an unknown author and an old comment do not count by the delivery alone', () => {
  assert.equal(judgeTold({ ...told, isBot: true }, undefined)?.outcome, 'bot')
  assert.equal(judgeTold({ ...told, authorLogin: 'renovate[bot]' }, undefined)?.outcome, 'bot')
  assert.equal(judgeTold({ ...told, authorLogin: 'Our-App' }, 'our-app')?.outcome, 'bot')
  assert.equal(judgeTold({ ...told, authorId: null }, undefined)?.outcome, 'not_permitted')
  assert.equal(judgeTold({ ...told, postedAt: '2026-11-27T09:59:00Z' }, undefined)?.outcome, 'expired')
})

test('what the provider shows decides', () => {
  assert.equal(judgeShown(told, { ...shown, bodySha256: 'bb' }, undefined)?.outcome, 'edited')
  assert.equal(judgeShown(told, { ...shown, isEdited: true }, undefined)?.outcome, 'edited')
  assert.equal(judgeShown(told, { ...shown, authorId: '2' }, undefined)?.outcome, 'edited')
  assert.equal(judgeShown(told, { ...shown, authorId: null }, undefined)?.outcome, 'edited')
  assert.equal(judgeShown(told, { ...shown, authorIsBot: true }, undefined)?.outcome, 'bot')
})

test('words are compared in the form in which deliveries are read', () => {
  assert.equal(asDelivered('a\0b\ud800'), 'a\uFFFDb\uFFFD')
  assert.equal(asDelivered('x'.repeat(70_000)).length, 65_536)
})
