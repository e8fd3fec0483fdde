import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { EventRepository } from '../event/index.ts'
import { RepositoryName, RepositoryOwner } from './index.ts'

const isFullName = (text: string) => Value.Check(EventRepository.properties.full_name, text)
const isOwner = (text: string) => Value.Check(RepositoryOwner, text)
const isName = (text: string) => Value.Check(RepositoryName, text)

/** Mostly what names are made of, and what only looks like it. */
const text = fc
  .array(fc.oneof(fc.constantFrom('a', 'B', '9', '.', '..', '-', '_', ' ', '/', '~', '%', '*', '\n', '\u0430')))
  .map((parts) => parts.join(''))

test('an override can be made for what events can name, and for nothing else', () => {
  fc.assert(
    fc.property(text, text, (owner, name) => {
      const dots = [...owner.split('/'), name].some((segment) => segment === '.' || segment === '..')
      const expected = isFullName(`${owner}/${name}`) && !name.includes('/') && !dots
      assert.equal(isOwner(owner) && isName(name), expected, JSON.stringify([owner, name]))
    }),
    { numRuns: 5000 },
  )
})

test('the longest owner and the longest name together are a full name', () => {
  const [owner, name] = ['o'.repeat(740), 'n'.repeat(256)]
  assert.ok(isOwner(owner) && isName(name) && isFullName(`${owner}/${name}`))
  assert.ok(!isOwner(`${owner}o`) && !isName(`${name}n`))
})

test('a hostile name is refused as fast as another', () => {
  assert.equal(isOwner(`${'a '.repeat(360)}*`), false)
  assert.equal(isOwner(`${'./'.repeat(360)}a`), false)
})
