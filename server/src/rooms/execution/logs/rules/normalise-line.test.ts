import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hashLine, normaliseLine, plainLine } from './normalise-line.ts'

const PIECES = [
  '\x1b',
  '\x1b[31m',
  '[0m',
  '\x1b]0;title\x07',
  '\r',
  '\t',
  ' ',
  '  ',
  '\u0000',
  '#',
  '%',
  '/tmp/',
  '/private',
  '/var/folders/ab/cd/T/',
  'C:\\Users\\me\\Temp\\',
  'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
  '0x',
  'deadbeef',
  '1',
  '42',
  '.',
  ':',
  '-',
  'Nov ',
  'Sat, ',
  ' ms',
  's',
  'MiB/s',
  'error',
  'ü',
  '日本',
  '\ud83d',
  '😀',
]

const same = (...lines: readonly string[]): void => {
  const [first = ''] = lines
  for (const line of lines) assert.equal(normaliseLine(line), normaliseLine(first))
  assert.notEqual(normaliseLine(first), '')
}

describe('a line as it would be in another run', () => {
  test('stays as it is once it is normalised', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 30 }), (pieces) => {
        const once = normaliseLine(pieces.join(''))
        assert.equal(normaliseLine(once), once)
      }),
      { numRuns: 3000 },
    )
  })

  test('is no longer than it was, and holds neither a digit nor a control character', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        const normalised = normaliseLine(text)
        assert.ok(normalised.length <= text.length)
        assert.doesNotMatch(normalised, /[0-9\x00-\x1f\x7f]/)
      }),
      { numRuns: 1000 },
    )
  })

  test('is the same with another time, duration, size, number or version', () => {
    same('[12:01:02] compiled in 31 ms', '[09:59:00] compiled in 2.5s', '[1:2:3] compiled in 1,200 ms')
    same('2026-11-28T19:00:23.120Z INFO up', '2025-01-01T00:00:00Z INFO up')
    same('Nov 28 19:00:23 host sshd', 'Dec  1 07:10:00 host sshd', 'Sat, Nov 1 07:10:00 host sshd')
    same('Downloaded 12 kB at 3.1 MB/s', 'Downloaded 900 bytes at 12 KiB/s')
    same('progress: 42% of all', 'progress: 100% of all')
    same('installed left-pad@1.3.0', 'installed left-pad@11.0.27')
  })

  test('is the same with another hash, id or temporary name', () => {
    same('HEAD is now at 0a1b2c3 ok', 'HEAD is now at ffe9912 ok')
    same('run 0190aaaa-0000-7000-8000-00000000000f done', 'run deadbeef-dead-beef-dead-beefdeadbeef done')
    same('writes /tmp/left/out', 'writes /tmp/right/out', 'writes /var/tmp/x/out')
    same('writes C:\\Users\\ci\\AppData\\Local\\Temp\\abc', 'writes D:\\Temp\\xyz')
    same('at 0x7ffee3b0 in main', 'at 0x10 in main')
  })

  test('is another one with another word, also one that could be hexadecimal', () => {
    assert.notEqual(normaliseLine('test accede passed'), normaliseLine('test facade passed'))
    assert.notEqual(normaliseLine('a passed'), normaliseLine('a failed'))
  })

  test('is empty where it has no letter', () => {
    for (const line of ['', '   ', '12%', '-----', '\x1b[2K\r', '100 / 200']) assert.equal(normaliseLine(line), '')
  })
})

test('a line is shown without colours, and only the last of what overwrites itself', () => {
  assert.equal(plainLine('\x1b[1;31merror\x1b[0m: no'), 'error: no')
  assert.equal(plainLine('10%\r50%\r100%\r\r'), '100%')
  assert.equal(plainLine('\r\r'), '')
  assert.equal(plainLine('a\tb'), 'a\tb')
})

test('a hash tells lines apart', () => {
  const hashes = new Set(Array.from({ length: 100_000 }, (_, n) => hashLine(`line ${n}`)))
  assert.equal(hashes.size, 100_000)
  assert.ok([...hashes].every(Number.isSafeInteger))
})

test('a line costs its length, whatever it holds: else this would not end', () => {
  const pieces = ['a', 'C:\\', '1.', 'deadbeef', '\x1b[', '\x1b[1', '\x1b]', '\r', ' ', 'A', '/tmp/', 'no ', 'Error']
  for (const piece of pieces) {
    const line = `${piece.repeat(1_000_000)}x`
    assert.ok(normaliseLine(line).length <= 1000)
    assert.ok(plainLine(line).length <= line.length)
  }
})
