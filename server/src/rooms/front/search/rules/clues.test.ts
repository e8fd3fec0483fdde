import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readTyped } from './clues.ts'

const ID = '01900000-0000-7000-8000-00000000000a'
const OTHER = '01900000-0000-7000-8000-00000000000b'
const SHA = '1a2b3c4d5e6f7081920a1b2c3d4e5f60718293a4'

const CASES: Readonly<Record<string, ReturnType<typeof readTyped>>> = {
  [ID.toUpperCase()]: { text: ID.toUpperCase(), clues: [{ kind: 'id', id: ID }] },
  [`https://ci.example.com/#/runs/${ID}?step=build`]: { text: ID, clues: [{ kind: 'id', id: ID }] },
  [`#/sources/${OTHER}/deliveries/${ID}`]: {
    text: ID,
    clues: [
      { kind: 'id', id: ID },
      { kind: 'id', id: OTHER },
    ],
  },
  [`/v1/runs/${ID}/logs`]: { text: ID, clues: [{ kind: 'id', id: ID }] },
  '/v1/pipelines/acme%2Fweb%2Fbuild/versions': { text: 'acme/web/build', clues: [] },
  'https://ci.example.com/#/t/acme%2Fweb/runs': { text: 'acme/web', clues: [] },
  '#/t/~/runs': { text: undefined, clues: [] },
  '#/overrides/group%2Fsub/shop': { text: undefined, clues: [{ kind: 'repository', repository: 'group/sub/shop' }] },
  'acme/shop#12': { text: undefined, clues: [{ kind: 'pull_request', repository: 'acme/shop', number: 12 }] },
  'group/sub/shop!7': { text: undefined, clues: [{ kind: 'pull_request', repository: 'group/sub/shop', number: 7 }] },
  'acme/shop@feature/a': {
    text: undefined,
    clues: [{ kind: 'branch', branch: 'feature/a', repository: 'acme/shop' }],
  },
  'https://github.com/acme/shop/pull/12/files': {
    text: undefined,
    clues: [{ kind: 'pull_request', repository: 'acme/shop', number: 12 }],
  },
  'https://gitlab.com/group/sub/shop/-/merge_requests/7#note_1': {
    text: undefined,
    clues: [{ kind: 'pull_request', repository: 'group/sub/shop', number: 7 }],
  },
  [`https://github.com/acme/shop/commit/${SHA}`]: { text: undefined, clues: [{ kind: 'commit', commit: SHA }] },
  'https://github.com/acme/shop/tree/feature/a': {
    text: undefined,
    clues: [{ kind: 'branch', branch: 'feature/a', repository: 'acme/shop' }],
  },
  'https://gitea.example.com/acme/shop/src/branch/main': {
    text: undefined,
    clues: [{ kind: 'branch', branch: 'main', repository: 'acme/shop' }],
  },
  'https://github.com/acme/shop.git': { text: undefined, clues: [{ kind: 'repository', repository: 'acme/shop' }] },
  'https://github.com/acme/shop/commit/none': {
    text: undefined,
    clues: [{ kind: 'repository', repository: 'acme/shop' }],
  },
  'https://github.com/': { text: undefined, clues: [] },
  'https://[': { text: 'https://[', clues: [] },
  '#/x/%E0%A4%A': { text: '%E0%A4%A', clues: [] },
  '  acme/shop ': {
    text: 'acme/shop',
    clues: [
      { kind: 'repository', repository: 'acme/shop' },
      { kind: 'branch', branch: 'acme/shop', repository: undefined },
    ],
  },
  '1A2B3C4': {
    text: '1A2B3C4',
    clues: [
      { kind: 'commit', commit: '1a2b3c4' },
      { kind: 'branch', branch: '1A2B3C4', repository: undefined },
    ],
  },
  'refs/heads/main': {
    text: 'refs/heads/main',
    clues: [
      { kind: 'repository', repository: 'refs/heads/main' },
      { kind: 'branch', branch: 'main', repository: undefined },
    ],
  },
  '1a2b3c': { text: '1a2b3c', clues: [{ kind: 'branch', branch: '1a2b3c', repository: undefined }] },
  'nightly build': { text: 'nightly build', clues: [] },
}

describe('what was typed', () => {
  for (const [typed, reading] of Object.entries(CASES)) {
    test(`${typed}`, () => assert.deepEqual(readTyped(typed), reading))
  }

  test('never throws, and asks few questions', () => {
    const parts = fc.constantFrom('/', '#/', 'https://', 'acme', ID, SHA, 'pull', '-', '%', '@', '#12', ' ', 'v1', '?')
    const typed = fc.oneof(
      fc.string({ maxLength: 1000, unit: 'binary' }),
      fc.array(parts, { maxLength: 30 }).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(typed, (some) => {
        assert.ok(readTyped(some).clues.length <= 3)
      }),
    )
  })
})
