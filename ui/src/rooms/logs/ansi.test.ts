import { describe, expect, test } from 'vitest'
import { plainText, readLine } from './ansi.ts'

const ESC = '\u001b'
const looks = (line: string) => readLine(line).map(({ text, look }) => [text, look.colour, look.ground])

describe('colours', () => {
  test('are those of the theme by number', () => {
    expect(looks(`${ESC}[31mred${ESC}[0m plain ${ESC}[92;44mbright${ESC}[m`)).toEqual([
      ['red', 1, undefined],
      [' plain ', undefined, undefined],
      ['bright', 10, 4],
    ])
  })
  test('of 256 or of millions become the nearest of the sixteen', () => {
    expect(looks(`${ESC}[38;5;196mx`)).toEqual([['x', 9, undefined]])
    expect(looks(`${ESC}[38;5;9mx`)).toEqual([['x', 9, undefined]])
    expect(looks(`${ESC}[38;2;0;200;10mx`)).toEqual([['x', 2, undefined]])
    expect(looks(`${ESC}[38;5;244mx`)).toEqual([['x', 8, undefined]])
  })
  test('are exchanged by reverse video', () => {
    expect(looks(`${ESC}[7;31mx`)).toMatchObject([['x', 0, 1]])
  })
  test('bold and the like are kept', () => {
    expect(readLine(`${ESC}[1;3;4mx`)[0]?.look).toMatchObject({ bold: true, italic: true, underline: true })
  })
})

describe('everything else that controls a terminal', () => {
  for (const [what, line, text] of [
    ['a title of the window', `a${ESC}]0;evil\u0007b`, 'ab'],
    ['a movement', `a${ESC}[2Ab${ESC}[10;20Hc`, 'abc'],
    ['an erased screen', `a${ESC}[2Jb`, 'ab'],
    ['a private mode', `${ESC}[?25la${ESC}[?25h`, 'a'],
    ['a device control string', `a${ESC}Pq#0${ESC}\\b`, 'ab'],
    ['a character set', `${ESC}(Ba`, 'a'],
    ['an escape at the end', `a${ESC}`, 'a'],
    ['an unfinished title', `a${ESC}]0;evil`, 'a'],
  ] as const) {
    test(`${what} has no effect`, () => expect(plainText(line)).toBe(text))
  }
  test('markup stays text', () => {
    expect(plainText('<img src=x onerror=alert(1)>&amp;')).toBe('<img src=x onerror=alert(1)>&amp;')
  })
})

describe('a carriage return', () => {
  test('writes over what stood there', () => {
    expect(plainText('10%\r20%\rdone')).toBe('done')
    expect(plainText('downloading\rok')).toBe('okwnloading')
    expect(plainText(`downloading\r${ESC}[Kok`)).toBe('ok')
    expect(plainText('windows\r')).toBe('windows')
  })
  test('keeps the colours of what is left', () => {
    expect(looks(`${ESC}[31mabc${ESC}[0m\r${ESC}[32mx${ESC}[0m`)).toEqual([
      ['x', 2, undefined],
      ['bc', 1, undefined],
    ])
  })
})

describe('links', () => {
  const links = (line: string) => readLine(line).flatMap(({ text, href, host }) => (href ? [[text, href, host]] : []))
  test('bare addresses of http and https', () => {
    expect(links('see https://example.com/a?b=c, or (http://10.0.0.1:80/x).')).toEqual([
      ['https://example.com/a?b=c', 'https://example.com/a?b=c', undefined],
      ['http://10.0.0.1:80/x', 'http://10.0.0.1/x', undefined],
    ])
  })
  test('a hyperlink names its host', () => {
    expect(links(`${ESC}]8;;https://evil.example/x${ESC}\\bank.example${ESC}]8;;${ESC}\\ rest`)).toEqual([
      ['bank.example', 'https://evil.example/x', 'evil.example'],
    ])
  })
  test('nothing but http and https', () => {
    for (const address of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://a:b@evil.example',
    ]) {
      expect(links(`${ESC}]8;;${address}\u0007x${ESC}]8;;\u0007 ${address}`), address).toEqual([])
    }
  })
})

test('long lines and many changes of colour take no long', () => {
  const begun = performance.now()
  readLine(`${ESC}[31m${'x'.repeat(65_536)}`)
  readLine(`${ESC}[31mx`.repeat(9000))
  readLine('\r'.repeat(65_536))
  readLine(`${'é\u0301'.repeat(30_000)}\rx`)
  readLine(`${ESC}]8;;`.repeat(10_000))
  expect(performance.now() - begun).toBeLessThan(2000)
})
