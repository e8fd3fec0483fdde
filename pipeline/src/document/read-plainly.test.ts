import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { defaultLimits } from './limits.ts'
import { ProblemList } from './problem.ts'
import { readCarefully } from './read-carefully.ts'
import { readPlainly } from './read-plainly.ts'
import type { SourceNode } from './source-tree.ts'
import { changed, soup } from './testing/changed-texts.ts'
import { made } from './testing/yaml-texts.ts'

/** Entries as lists: maps are equal in whatever order. */
function inOrder(node: SourceNode): unknown {
  if (node.kind === 'list') return { ...node, items: node.items.map(inOrder) }
  if (node.kind === 'scalar') return node
  return { ...node, entries: [...node.entries].map(([name, { key, value }]) => [name, key, inOrder(value)]) }
}

/** Whether the text is read plainly. Fails where the careful reader reports anything then, or makes another tree. */
function isPlain(text: string, limits = defaultLimits): boolean {
  const plain = readPlainly(text, limits)
  if (plain === undefined) return false
  const problems = new ProblemList()
  const careful = readCarefully(text, limits, problems)
  assert.deepEqual(problems.list(), [], text)
  assert.deepEqual(inOrder(plain), careful && inOrder(careful), text)
  return true
}

const root = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const scenarios = globSync('e2e/scenarios/*/pipeline.yaml', { cwd: root }).map(textOf)
const examples = globSync('docs/**/*.md', { cwd: root }).flatMap((page) =>
  [...textOf(page).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? ''),
)

/** Small enough for small texts to be beyond them. */
const narrow = { ...defaultLimits, depth: 6, nodes: 60 }

/** Looks at so many of the texts; the answer is how many of a hundred were plain. */
function percentPlain(texts: fc.Arbitrary<string>, numRuns: number): number {
  let plain = 0
  const look = (text: string) => {
    if (isPlain(text)) plain += 1
    isPlain(text, narrow)
  }
  fc.assert(fc.property(texts, look), { numRuns })
  return (100 * plain) / numRuns
}

describe('what is read plainly is what the careful reader makes of it', () => {
  test('of YAML of every kind', () => assert.ok(percentPlain(made, 1_500) > 15))
  test('of real documents that are changed somewhere', () =>
    assert.ok(percentPlain(changed([...scenarios, ...examples]), 1_500) > 10))
  test('of anything that is made of the characters of YAML', () => assert.ok(percentPlain(soup, 1_000) > 0))
})

test('what people write is read plainly', () => {
  assert.ok(scenarios.length > 40 && examples.length > 20)
  for (const text of [...scenarios, ...examples]) assert.ok(isPlain(text), text)
})

describe('is read plainly:', () => {
  const texts = {
    'an empty value, also before a comment and at the end': 'a:   # c\nb: { o: , p: }\nc:',
    'words that are no text': 'a: [1.10, 0x1F, 0o17, 1e999, -.inf, .nan, ~, Null, TRUE, no, 1_000, 2001-01-01]',
    'a text over several lines': "a: one\n  two\n\n  three\nb: \"one\n  two \\\"\n\n  three\"\nc: 'it''s\n  one'",
    'a block of text': 'a: |\n  x\n\n   y  \n  # z\nb: >-\n  x\n  y\n\n   z\nc:\n  - |\n    x\n  - y: >\n      z\n',
    'lists and maps in flow': 'a: [ [], {}, b: c, { "d":1, e: [ f ,], } ]\nb: {\n  c: d, # e\n  f: g }',
    'lists and maps in each other': '- - a\n  - b: c\n    d:\n    - e\n-\n  f: g\n',
    'keys of every kind': '<<: a\n__proto__: b\n1: c\n"d \\n": e\nnull : f\n"": g\n日本: 😀',
    'a document with a beginning': '# c\n---\na: b\n',
  }
  for (const [name, text] of Object.entries(texts)) test(name, () => assert.ok(isPlain(text)))
})

describe('is left to the careful reader:', () => {
  const texts = {
    'what is no YAML': 'a: [b',
    'a second document': 'a: b\n---\nc: d',
    'the end of a document': 'a: b\n...\n',
    'a directive': '%YAML 1.2\n---\na: b',
    'an anchor': 'a: &b c',
    'an anchor of a list': 'a: &b [c]',
    'an alias': 'a: [&b c, *b]',
    'a tag': 'a: !!str b',
    'a tag of a map': 'a: !!map { b: c }',
    'a second key of the same name': 'a: { b: c, "b": d }',
    'a key that is a list': 'a: { [b]: c }',
    'a key with a question mark': '? a\n: b',
    'a key without a colon': '{ a }',
    'a key that is too long': `{ ${'a'.repeat(1_025)}: b }`,
    'an empty key': '{ : a }',
    'an empty item': 'a:\n  -\n  - b',
    'an empty document': '# a\n',
    'a document that is a text': 'a',
    'a tab': 'a:\tb',
    'ends of lines of Windows': 'a: b\r\n',
    'a mark of the byte order': '\ufeffa: b',
    'an indented document': ' a: b',
    'half a character': "a: '\ud800'",
    'half a character as an escape': 'a: "\\ud800"',
    'a zero as an escape': 'a: "\\0"',
    'a text below a comment': 'a:\n#b\n  c\nd: e',
    'a block of text that keeps its end': 'a: |+\n  b\n\n',
    'a block of text with an indentation of its own': 'a: |1\n  b\n',
    'a block of text that begins in a line of its own': 'a:\n  >-\n\nb: c',
    'a block of text behind a comment': 'a: | # b: |\n  c\n',
    'too many levels': '['.repeat(52) + ']'.repeat(52),
  }
  for (const [name, text] of Object.entries(texts)) {
    test(name, () => assert.equal(readPlainly(text, defaultLimits), undefined))
  }
})

test('the limits are held to the last level and the last value', () => {
  const limits = { ...defaultLimits, depth: 3, nodes: 4 }
  assert.ok(isPlain('[[[a]]]', limits))
  assert.ok(!isPlain('[[[a]]]', { ...limits, depth: 2 }))
  assert.ok(!isPlain('[[[a]]]', { ...limits, nodes: 3 }))
})
