import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { platformProblem } from '#platform/problems'
import type { Caller } from './caller.ts'
import { canFromBelow, requirePermission, requireVisible, requireVisibleFromBelow } from './permission.ts'

const asked: string[] = []
const reader: Caller = {
  kind: 'user',
  id: '1',
  name: 'ada',
  can: (permission, teamPath) => asked.push(teamPath) > 0 && permission === 'run.read' && teamPath === 'acme',
  prefixes: () => ['acme'],
  mayUse: () => false,
}

describe('requirePermission', () => {
  test('lets through who holds it', () => requirePermission(reader, 'run.read', 'acme'))

  for (const [place, words] of [
    ['acme/web', 'acme/web'],
    ['/', 'the platform'],
  ] as const) {
    test(`names what is missing on ${words}`, () => {
      assert.throws(() => requirePermission(reader, 'run.start', place), {
        code: 'forbidden',
        message: `You need run.start on ${words}.`,
      })
    })
  }
})

describe('requireVisible', () => {
  const absent = () => platformProblem('not_found', 'There is none.')
  const find = (row: { readonly teamPath: string } | undefined) => requireVisible(reader, 'run.read', row, absent)

  test('answers what the caller may see', () => assert.deepEqual(find({ teamPath: 'acme' }), { teamPath: 'acme' }))

  test('says the same of what is hidden and of what is not there, and asks for the right in both cases', () => {
    asked.length = 0
    assert.throws(() => find({ teamPath: 'other' }), { code: 'not_found', message: 'There is none.' })
    assert.throws(() => find(undefined), { code: 'not_found', message: 'There is none.' })
    assert.deepEqual(asked, ['other', '/'])
  })
})

describe('what is seen from below', () => {
  const builder: Caller = {
    ...reader,
    can: (permission, teamPath) => permission === 'run.read' && /^acme\/web(\/|$)/.test(teamPath),
    prefixes: (permission) => (permission === 'run.read' ? ['acme/web'] : []),
  }
  const absent = () => platformProblem('not_found', 'There is none.')

  for (const [teamPath, isSeen] of [
    ['acme/web', true],
    ['acme/web/app', true],
    ['acme', true],
    ['/', true],
    ['acm', false],
    ['acme/we', false],
    ['acme/other', false],
  ] as const) {
    test(`${teamPath} is ${isSeen ? 'seen' : 'hidden'}`, () => {
      assert.equal(canFromBelow(builder, 'run.read', teamPath), isSeen)
      const find = () => requireVisibleFromBelow(builder, 'run.read', { teamPath }, absent)
      if (isSeen) assert.deepEqual(find(), { teamPath })
      else assert.throws(find, { code: 'not_found', message: 'There is none.' })
    })
  }

  test('needs the permission at some team', () => assert.equal(canFromBelow(builder, 'run.start', '/'), false))

  test('what is not there is absent', () => {
    assert.throws(() => requireVisibleFromBelow(builder, 'run.read', undefined, absent), { code: 'not_found' })
  })
})
