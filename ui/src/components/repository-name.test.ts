import { expect, test } from 'vitest'
import { readRepositoryName } from './repository-name.ts'

test('the owner of a repository is all before its last slash', () => {
  expect(readRepositoryName(' group/sub/shop ')).toEqual({ owner: 'group/sub', name: 'shop' })
  expect(readRepositoryName('shop')).toBeUndefined()
  expect(readRepositoryName('acme/')).toBeUndefined()
})

test('a pattern names no repository', () => {
  for (const pattern of ['acme/*', '!acme/shop', 'acme/{a,b}']) expect(readRepositoryName(pattern)).toBeUndefined()
})
