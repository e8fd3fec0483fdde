import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { array, boolean, assert as check, property, string } from 'fast-check'
import { escapeLogLine, escapeLogText, escapeText } from './escape.ts'

describe('text from outside', () => {
  test('cannot steer the terminal', () => {
    assert.equal(escapeText('\u001b[2Jgone'), '\\u{1b}[2Jgone')
    assert.equal(escapeText('a\nb\tc\rd'), 'a\\nb\\tc\\u{d}d')
    assert.equal(escapeText('main\u202eniam'), 'main\\u{202e}niam')
    assert.equal(escapeText('grüße 日本 👍'), 'grüße 日本 👍')
  })

  test('never keeps a control character, whatever it holds', () => {
    check(
      property(string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(escapeText(text), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        assert.doesNotMatch(escapeLogLine(text, false), /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e]/)
        assert.doesNotMatch(escapeLogLine(text, true), /\u001b(?!\[[0-9;]*m)/)
      }),
    )
  })
})

describe('a line of a log', () => {
  test('keeps colours where they are shown, and they do not run on', () => {
    assert.equal(escapeLogLine('\u001b[32mok\u001b[0m', true), '\u001b[32mok\u001b[0m\u001b[0m')
    assert.equal(escapeLogLine('\u001b[31mred', true), '\u001b[31mred\u001b[0m')
    assert.equal(escapeLogLine('\u001b[31mred', false), 'red')
  })

  test('loses sequences that move the cursor, set titles or open links', () => {
    assert.equal(escapeLogLine('a\u001b[2Kb\u001b]0;title\u0007c\u001b[1;1Hd', true), 'abcd')
  })

  test('of a progress bar shows its last state', () => {
    assert.equal(escapeLogLine('10 %\r50 %\r100 %\r', false), '100 %')
  })

  test('keeps its tabs', () => {
    assert.equal(escapeLogLine('a\tb', false), 'a\tb')
  })
})

test('many lines at once are what each of them is alone', () => {
  const line = string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ''))
  const plain = string({ unit: 'grapheme-ascii' })
  check(
    property(array(plain), array(line), boolean(), (before, lines, colours) => {
      const all = [...before, ...lines]
      const alone = all.map((text) => escapeLogLine(text, colours))
      assert.deepEqual(escapeLogText(all.join('\n'), colours).split('\n'), all.length === 0 ? [''] : alone)
    }),
  )
})
