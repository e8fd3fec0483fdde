import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { link, quote, table } from './markdown.ts'

describe('a text from outside', () => {
  test('is code, whatever it says', () => {
    const cases = [
      ['@mona', '`@mona`'],
      ['[x](https://evil.example)', '`[x](https://evil.example)`'],
      ['a`b``c', "`a'b''c`"],
      ['a|b', '`a\u2502b`'],
      ['<img src=x onerror=alert(1)>', '`<img src=x onerror=alert(1)>`'],
      ['one\ntwo\r\n| three |', '`one two \u2502 three \u2502`'],
      ['\u202Eevil\u200B', '`evil`'],
      ['', '`-`'],
      ['\n', '`-`'],
      ['x'.repeat(121), `\`${'x'.repeat(119)}\u2026\``],
    ]
    for (const [text, quoted] of cases) assert.equal(quote(text ?? ''), quoted)
  })

  test('never ends its code or its cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const quoted = quote(text)
        assert.match(quoted, /^`[^`|\n\r]+`$/)
        assert.ok(quoted.isWellFormed())
      }),
    )
  })
})

test('a table has as many cells in each row', () => {
  const rows = [
    [quote('a | b'), 'x'],
    [quote('||||'), 'y'],
  ]
  const lines = table(['Pipeline', 'Result'], rows).split('\n')
  assert.deepEqual(
    lines.map((line) => line.split('|').length),
    [4, 4, 4, 4],
  )
})

test('an address cannot end its link', () => {
  assert.equal(link('Run', 'https://x.example/#/runs/1>) [y](z'), '[Run](<https://x.example/#/runs/1%3E)%20[y](z>)')
})
