import { describe, expect, test } from 'vitest'
import { pagesOf } from './addresses.ts'

const hit = { id: '1', title: 'acme/web', where: 'acme', detail: null }
const addresses = (...asked: Parameters<typeof pagesOf>) => pagesOf(...asked).map(({ address }) => address)

describe('the page of a thing that was found', () => {
  test('is its own, or the list of its team', () => {
    expect(addresses({ ...hit, kind: 'team' })).toEqual(['/t/acme%2Fweb/home'])
    expect(addresses({ ...hit, kind: 'run' })).toEqual(['/runs/1', '/t/acme/home'])
    expect(addresses({ ...hit, kind: 'secret' })).toEqual(['/secrets/1', '/t/acme/secrets', '/t/acme/home'])
    expect(addresses({ ...hit, kind: 'runner', where: '/' })).toEqual(['/runners/1', '/system/dispatcher', '/t/~/home'])
    expect(addresses({ ...hit, kind: 'group', where: null })).toEqual(['/groups/1', '/groups', '/t/~/home'])
  })
})
