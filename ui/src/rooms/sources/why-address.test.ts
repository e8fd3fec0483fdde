import { describe, expect, test } from 'vitest'
import { pushQueryOf, readWhyAddress } from './why-address.ts'

describe('the question of a push in the address', () => {
  test('keeps what it can mean, also a commit of digits alone', () => {
    const search = { repository: 'acme/shop', commit: 1234567, pull: 12, ref: '', line: 'x', tag: ['v1'] }
    expect(readWhyAddress(search)).toEqual({ repository: 'acme/shop', commit: '1234567', pull: '12' })
    expect(readWhyAddress({})).toEqual({})
  })

  test('is asked once there is a repository or a delivery', () => {
    expect(pushQueryOf({ commit: 'c0ffee1' })).toBeUndefined()
    expect(pushQueryOf({ repository: 'acme/shop', commit: 'c0ffee1' })).toEqual({
      repository: 'acme/shop',
      commit_sha: 'c0ffee1',
    })
    expect(pushQueryOf({ repository: 'acme/shop', pull: '12' })).toEqual({ repository: 'acme/shop', pull_request: 12 })
    expect(pushQueryOf({ repository: 'acme/shop', pull: 'twelve' })).toEqual({ repository: 'acme/shop' })
    expect(pushQueryOf({ delivery: 'x', repository: 'acme/shop' })).toEqual({ delivery_id: 'x' })
  })
})
