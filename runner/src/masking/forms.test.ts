import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MaskedValues, Masker } from './masker.ts'

/** A text that gives a value away, and the number of its letters that may stay, from around the value. */
interface Written {
  readonly text: string
  readonly around: number
}
type Write = (value: string, before: string, after: string, width: number) => Written

const plainly =
  (write: (value: string) => string): Write =>
  (value, before, after) => ({ text: `${before}${write(value)}${after}`, around: before.length + after.length })
const wrap = (text: string, width: number): string => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
const inBase64 =
  (write: (bytes: Buffer, width: number) => string): Write =>
  (value, before, after, width) => ({
    text: write(Buffer.from(before + value + after), width),
    // Three letters at either end are part of the value in less than a byte; padding; three before a break that came alone.
    around: Math.ceil(((before.length + after.length) * 4) / 3) + 11,
  })
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const twice = (bytes: Buffer): string => Buffer.from(bytes.toString('base64')).toString('base64')
const bytesOf = (text: string): number[] => [...Buffer.from(text)]
const inDigits =
  (write: (byte: number) => string, between = ''): Write =>
  (value, before, after) => ({
    text: `${before}${bytesOf(value).map(write).join(between)}${after}`,
    // A word `0x`, `\\x` or `&#x` stands before the first digit.
    around: before.length + after.length + 4,
  })
const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
const dump =
  (row: (bytes: Buffer, at: number) => string): Write =>
  (value, before, after) => {
    const bytes = Buffer.from(before + value + after)
    const rows: string[] = []
    for (let at = 0; at < bytes.length; at += 16) rows.push(row(bytes.subarray(at, at + 16), at))
    const rowsAround = Math.ceil(before.length / 16) + Math.ceil(after.length / 16)
    // Before the first stars: an offset, the digits and the text of what stood before; behind them rows of what came after.
    return { text: `${rows.join('\n')}\n`, around: 16 + rowsAround * 80 }
  }
const letters = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => (byte > 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
const groups = (bytes: Buffer, size: number): string =>
  bytes.toString('hex').replace(new RegExp(`.{${size * 2}}(?!$)`, 'g'), '$& ')

const forms: Readonly<Record<string, Write>> = {
  'as it is': plainly((value) => value),
  reversed: plainly((value) => Array.from(value).toReversed().join('')),
  'in small letters': plainly((value) => value.toLowerCase()),
  'in capitals': plainly((value) => value.toUpperCase()),
  'base64 on one line': inBase64((bytes) => bytes.toString('base64')),
  'base64 in lines': inBase64((bytes, width) => wrap(bytes.toString('base64'), width)),
  'base64 in lines of CR LF': inBase64((bytes, width) =>
    wrap(bytes.toString('base64'), width).replaceAll('\n', '\r\n'),
  ),
  'base64 in indented lines': inBase64((bytes, width) =>
    wrap(bytes.toString('base64'), width).replaceAll('\n', '\n    '),
  ),
  'base64 of URLs': inBase64((bytes, width) => wrap(bytes.toString('base64url'), width)),
  'base64, percent-encoded': (value, before, after) => ({
    text: encodeURIComponent(Buffer.from(before + value + after).toString('base64')),
    around: (Math.ceil(((before.length + after.length) * 4) / 3) + 8) * 3,
  }),
  'base64 of base64': (value, before, after) => ({
    text: twice(Buffer.from(before + value + after)),
    around: Math.ceil(((before.length + after.length) * 16) / 9) + 26,
  }),
  'base64 of UTF-16': (value, before, after) => ({
    text: utf16(before + value + after).toString('base64'),
    around: Math.ceil(((before.length + after.length) * 8) / 3) + 8,
  }),
  'base64 of JSON': (value, before, after) => ({
    text: Buffer.from(JSON.stringify({ [before]: value, after })).toString('base64'),
    around: Math.ceil(((before.length + after.length + 20) * 4) / 3) + 8,
  }),
  'percent-encoded': plainly(encodeURIComponent),
  'percent-encoded in small letters': plainly((value) =>
    encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
  ),
  'percent-encoded twice': plainly((value) => encodeURIComponent(encodeURIComponent(value))),
  'percent-encoded whole': inDigits((byte) => `%${hex(byte)}`),
  'percent-encoded whole, in capitals': inDigits((byte) => `%${hex(byte).toUpperCase()}`),
  'of a form': plainly((value) => new URLSearchParams({ q: value }).toString().slice(2)),
  JSON: plainly((value) => JSON.stringify(value).slice(1, -1)),
  'JSON in JSON': plainly((value) => JSON.stringify(JSON.stringify(value)).slice(3, -3)),
  'HTML, a few letters': plainly((value) =>
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  ),
  'HTML, decimal': inDigits((byte) => `&#${byte};`),
  'HTML, hexadecimal': inDigits((byte) => `&#x${hex(byte)};`),
  hexadecimal: inDigits(hex),
  'hexadecimal, in capitals': inDigits((byte) => hex(byte).toUpperCase()),
  'hexadecimal with colons': inDigits(hex, ':'),
  'hexadecimal with blanks': inDigits(hex, ' '),
  'hexadecimal escapes': inDigits((byte) => `\\x${hex(byte)}`),
  'octal escapes': inDigits((byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  'an array of C': inDigits((byte) => `0x${hex(byte)}`, ', '),
  'decimal numbers': inDigits(String, ', '),
  'xxd -p': (value, before, after, width) => ({
    text: wrap(Buffer.from(before + value + after).toString('hex'), width),
    around: (before.length + after.length) * 2 + 7,
  }),
  xxd: dump((bytes, at) => `${at.toString(16).padStart(8, '0')}: ${groups(bytes, 2).padEnd(39)}  ${letters(bytes)}`),
  'hexdump -C': dump((bytes, at) => {
    const [first, second] = [groups(bytes.subarray(0, 8), 1), groups(bytes.subarray(8), 1)]
    return `${at.toString(16).padStart(8, '0')}  ${`${first}  ${second}`.padEnd(48)}  |${letters(bytes)}|`
  }),
  'od -tx1': dump((bytes, at) => `${at.toString(8).padStart(7, '0')} ${groups(bytes, 1)}`),
}

const maskInPieces = (values: readonly string[], text: Buffer, cuts: readonly number[]): string => {
  const masker = new Masker(new MaskedValues(values))
  const borders = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  const parts = borders.slice(1).map((end, index) => masker.push(text.subarray(borders[index], end)))
  return Buffer.concat([...parts, masker.end()]).toString()
}

// Letters that some encoding writes in another way; no asterisk, for stars hide what is found.
const letter = fc.constantFrom(...'abcXYZ0189 -_.~+/=&<>"\'\\%$`!?#:;,@{}()[]|^')
const secret = fc
  .string({ minLength: 8, maxLength: 80, unit: letter })
  .map((value) => value.trim())
  .filter((value) => value.length >= 8)
// Letters that no form of a value begins or ends with: the remaining ones can be counted.
const around = fc.string({ maxLength: 40, unit: fc.constantFrom('m', 'q', 'y') })
const cuts = fc.array(fc.nat(), { maxLength: 6 })

describe('the forms of a value', () => {
  for (const [name, write] of Object.entries(forms)) {
    test(`${name}: nothing of the value stays, whatever stands around it and wherever the text is cut`, () => {
      fc.assert(
        fc.property(
          secret,
          around,
          around,
          fc.integer({ min: 12, max: 80 }),
          cuts,
          (value, before, after, width, at) => {
            const { text, around: allowed } = write(value, before, after, width)
            const masked = maskInPieces([value, 'another-value-0'], Buffer.from(text), at)
            const stays = masked.replaceAll('***', '').replace(/\s/g, '')
            assert.ok(masked.includes('***') && stays.length <= allowed, `${text}\n->\n${masked}`)
          },
        ),
        { numRuns: 60 },
      )
    })
  }

  const quoted = `It's a "key" of $HOME & <more>; 100% \\ ~ä\u20ac!`
  const run = (script: string, shell = 'bash'): string =>
    execFileSync(shell, ['-c', script], { env: { ...process.env, VALUE: quoted, LC_ALL: 'C.UTF-8' }, encoding: 'utf8' })
  const scripts: Readonly<Record<string, string>> = {
    'bash -x': 'exec 2>&1; set -x; : "$VALUE"',
    'bash -x with a tab': `exec 2>&1; set -x; : "$VALUE"; : "$VALUE"$'\\t'`,
    'printf %q': `printf '%q\\n' "$VALUE"`,
    'printf %q in another locale': `LC_ALL=C; printf '%q\\n' "$VALUE"$'\\n'`,
    '@Q': `printf '%s\\n' "\${VALUE@Q}"`,
    'declare -p': 'declare -p VALUE',
    set: 'set | grep ^VALUE=',
    base64: 'printf %s "$VALUE" | base64',
    'base64 -w 20': 'printf "user:%s\\n" "$VALUE" | base64 -w 20',
    od: 'printf %s "$VALUE" | od -An -tx1',
    'od with offsets': 'printf "x%s" "$VALUE" | od -tx1',
    'od, decimal': 'printf %s "$VALUE" | od -An -tu1',
    'od, octal': 'printf "x%s" "$VALUE" | od -b',
    'od, words': 'printf %s "$VALUE" | od -x',
  }
  for (const [name, script] of Object.entries(scripts)) {
    test(`${name}: a real program writes it, and nothing of it stays`, () => {
      const text = run(script)
      const masked = maskInPieces([quoted], Buffer.from(text), [17])
      assert.ok(masked.includes('***'), `${text}\n->\n${masked}`)
      assert.ok(masked.replaceAll('***', '').replace(/\s/g, '').length <= 40, `${text}\n->\n${masked}`)
    })
  }

  test('sh -x: dash leaves the quotes in its own way', () => {
    const text = run('exec 2>&1; set -x; : "$VALUE"', 'sh')
    const masked = maskInPieces([quoted], Buffer.from(text), [])
    assert.ok(masked.includes('***') && masked.length < 20, `${text}\n->\n${masked}`)
  })

  test('text without any form passes unchanged, however it is cut', () => {
    const words = fc.array(
      fc.constantFrom(
        'deadbeef',
        '0x12, 0x13',
        'QUJD',
        '\n',
        '00000000: 6162 6364  abcd\n',
        '%41',
        '\\x',
        "'",
        '&#65;',
        ' ',
      ),
    )
    fc.assert(
      fc.property(words, cuts, (parts, at) => {
        const text = parts.join('')
        assert.equal(maskInPieces(['never-in-there-0123456789', 'Zq-other'], Buffer.from(text), at), text)
      }),
    )
  })

  test('short values: the rare forms begin at 8 characters, the usual ones at 4', () => {
    const four = new MaskedValues(['1234'])
    assert.equal(four.mask('4321 49 50 51 52'), '4321 49 50 51 52')
    assert.equal(four.mask('31323334 MTIzNA=='), '*** ***')
    assert.equal(new MaskedValues(['12345678']).mask('87654321'), '***')
  })

  test('a line that ends like the beginning of an encoded value does not wait for the next one', () => {
    const value = 'correct-horse-battery'
    const masker = new Masker(new MaskedValues([value]))
    const [first] = Buffer.from(value).toString('base64')
    assert.equal(masker.push(Buffer.from(`ready ${first}\n6\n`)).toString(), `ready ${first}\n6\n`)
  })

  test('a value that is too long for all forms is masked in the usual ones, and is counted', () => {
    const long = 'It is long. '.repeat(1000).trim()
    const values = new MaskedValues([long])
    assert.equal(values.patterns.shortened, 1)
    assert.equal(values.mask(`a ${long} b`), 'a *** b')
    assert.match(values.mask(wrap(Buffer.from(long).toString('base64'), 76)), /^\*\*\*.{0,4}$/)
  })
})
