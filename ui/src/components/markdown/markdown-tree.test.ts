import { expect, test } from 'vitest'
import { type MarkdownNode, readMarkdown } from './markdown-tree.ts'

function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')
}

function linksOf(nodes: readonly MarkdownNode[]): readonly string[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [...(node.href === undefined ? [] : [node.href]), ...linksOf(node.children)],
  )
}

test('reads headings, lists and tables', () => {
  expect(readMarkdown('# One\n\n- a\n- b **c**')).toEqual([
    { name: 'h1', children: ['One'] },
    {
      name: 'ul',
      children: [
        { name: 'li', children: ['a'] },
        { name: 'li', children: ['b ', { name: 'strong', children: ['c'] }] },
      ],
    },
  ])
  const [table] = readMarkdown('| a | b |\n|---|---|\n| 1 | 2 |')
  expect(table).toMatchObject({ name: 'table' })
  expect(textOf([table ?? ''])).toBe('ab12')
})

test('HTML stays text', () => {
  expect(readMarkdown('<script>alert(1)</script> <b onclick=x>b</b>')).toEqual([
    { name: 'p', children: ['<script>alert(1)</script> <b onclick=x>b</b>'] },
  ])
})

test.each([
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](data:text/html,x)',
  '[a](vbscript:x)',
  '[a](/v1/runs)',
  '[a](//evil.example)',
  '<javascript:alert(1)>',
  '[a](&#106;avascript:alert(1))',
  '[a]: javascript:alert(1)\n\n[a]',
])('%s is no link', (text) => {
  expect(linksOf(readMarkdown(text))).toEqual([])
})

test('http and https are links, bare ones too', () => {
  expect(linksOf(readMarkdown('[a](https://a.example/x) http://b.example'))).toEqual([
    'https://a.example/x',
    'http://b.example',
  ])
})

test('an image is not loaded', () => {
  const tree = readMarkdown('![logo](https://a.example/x.png)')
  expect(JSON.stringify(tree)).not.toContain('img')
  expect(textOf(tree)).toBe('!logo')
})

test('invisible characters are shown, in code too', () => {
  expect(textOf(readMarkdown('a\u202eb `c\u200bd`'))).toBe('a[U+202E]b c[U+200B]d')
})

test('deep nesting ends', () => {
  expect(readMarkdown('>'.repeat(20_000)).length).toBeGreaterThan(0)
  expect(readMarkdown('['.repeat(20_000)).length).toBeGreaterThan(0)
})
