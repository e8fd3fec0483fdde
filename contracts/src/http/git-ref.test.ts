import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { FullRef, GIT_REF } from './index.ts'

const taken = (ref: string) => Value.Check(Type.String(GIT_REF), ref)
const takenByGit = (ref: string) => spawnSync('git', ['check-ref-format', `refs/heads/${ref}`]).status === 0

const PARTS = [
  'a',
  '.',
  '..',
  '/',
  '.lock',
  '@',
  '{',
  '-',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  ']',
  '\\',
  ' ',
  '\x7f',
  '\u00e4',
  '\u0085',
  '\u2028',
  '\u2029',
  '+',
]
const REFS = PARTS.flatMap((part) => [part, `a${part}`, `a${part}b`, `a/${part}b`, `a${part}/b`, `a@${part}`])

/** Each fault of a ref, and none, behind what other languages take for the end of a line. */
const BEHIND = ['\u0085', '\u2028', '\u2029'].flatMap((end) =>
  ['', 'b', '..b', '@{b', '//b', '/.b', '.lock', '.lock/b', '.', '/', ' '].map((rest) => `a${end}${rest}`),
)

test('a ref is what git takes as one', () => {
  for (const ref of [...REFS, ...BEHIND].filter((one) => !one.startsWith('-') && one !== '@')) {
    assert.equal(taken(ref), takenByGit(ref), JSON.stringify(ref))
  }
})

test('and neither an option nor another name of HEAD', () => {
  for (const ref of ['-a', '--upload-pack=x', '@', '']) assert.ok(!taken(ref), ref)
})

test('a hostile ref is refused as fast as another', () => {
  assert.ok(!taken(`${'a/'.repeat(499)}.`))
  assert.ok(!taken(`${'@.'.repeat(499)} `))
})

test('a full ref is one below a folder of refs, as git takes it', () => {
  for (const ref of REFS.map((one) => `refs/heads/${one}`)) {
    assert.equal(
      Value.Check(FullRef, ref),
      spawnSync('git', ['check-ref-format', ref]).status === 0,
      JSON.stringify(ref),
    )
  }
  for (const ref of [
    'main',
    'refs/heads',
    'refs/heads/',
    'heads/main',
    '--upload-pack=touch x',
    'refs/heads/a\nrefs/heads/b',
  ])
    assert.ok(!Value.Check(FullRef, ref), ref)
})
