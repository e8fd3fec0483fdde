import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePatterns } from '@signalbox/pipeline/patterns'
import { findPatternMiss } from './near-miss.ts'

function missOf(patterns: readonly string[], repository: string) {
  const list = compilePatterns(patterns, { caseInsensitive: true })
  return findPatternMiss(patterns, (name) => list.decide(name), repository)
}

const CASES: [string, readonly string[], string, string][] = [
  ['a misspelt name', ['acme/shpo'], 'acme/shop', 'Did you mean acme/shop?'],
  ['a misspelt owner in other case', ['ACEM/shop'], 'acme/shop', 'Did you mean acme/shop?'],
  [
    '.git at the end',
    ['acme/shop.git'],
    'acme/shop',
    'Names of repositories have no .git at the end: write acme/shop.',
  ],
  ['.git behind a glob', ['acme/*.git'], 'acme/shop', 'Names of repositories have no .git at the end: write acme/*.'],
  ['a glob for nested groups', ['acme/*'], 'acme/web/shop', '* does not go beyond a slash: write acme/**.'],
  [
    'a name without its first group',
    ['web/shop'],
    'acme/web/shop',
    'The owner is missing in front: did you mean acme/web/shop?',
  ],
  ['an exclusion', ['acme/*', '!acme/s*'], 'acme/shop', '!acme/s* takes acme/shop out again.'],
  ['the second pattern', ['other/x', 'acme/shp'], 'acme/shop', 'Did you mean acme/shop?'],
]

for (const [what, patterns, repository, reason] of CASES) {
  test(`${what} is a near miss`, () => assert.equal(missOf(patterns, repository)?.reason, reason))
}

for (const [what, patterns, repository] of [
  ['a pattern that fits', ['acme/*'], 'acme/shop'],
  ['another short name', ['acme/api'], 'acme/web'],
  ['another name', ['acme/warehouse'], 'acme/shop'],
  ['another owner and another name', ['acem/shpo'], 'acme/shop'],
  ['a glob of another owner', ['other/*'], 'acme/web/shop'],
  ['an exclusion that fits nothing', ['other/x', '!acme/shp'], 'acme/shop'],
] as const) {
  test(`${what} is none`, () => assert.equal(missOf(patterns, repository), undefined))
}
