import { expect, test } from 'vitest'
import { documentOf, draftOf, type Override, stateOf } from './override.ts'
import { readOverrideAddress } from './override-address.ts'

const override: Override = {
  repo_owner: 'acme',
  repo_name: 'shop',
  pipeline: 'acme/web/build',
  scope: 'acme/web/local',
  expires_at: '2027-01-08T00:00:00.000Z',
  reason: 'release freeze',
  expired: false,
  in_effect: true,
  not_in_effect_because: null,
  owner: { kind: 'user', id: '1', name: 'ada' },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

test('an override that is edited and not changed keeps everything', () => {
  expect(documentOf(draftOf(override))).toEqual({
    pipeline: 'acme/web/build',
    scope: 'acme/web/local',
    expires_at: '2027-01-08T00:00:00.000Z',
    reason: 'release freeze',
  })
})

test('empty fields: never expires, no reason, and the server takes the only environment', () => {
  expect(documentOf({ ...draftOf(undefined), pipeline: 'acme/build' })).toEqual({
    pipeline: 'acme/build',
    expires_at: null,
    reason: null,
  })
})

test('an expired override is expired, whether or not a source vouches for it', () => {
  expect(stateOf({ ...override, expired: true })).toBe('expired')
  expect(stateOf({ ...override, in_effect: false })).toBe('not_in_effect')
  expect(stateOf(override)).toBe('in_effect')
})

test('an address with an unknown event asks about none', () => {
  expect(readOverrideAddress({ ref: 'main', event: 'explosion' })).toEqual({ ref: 'main' })
  expect(readOverrideAddress({ ref: '', event: 'tag' })).toEqual({ event: 'tag' })
})
