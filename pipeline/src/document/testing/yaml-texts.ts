import fc from 'fast-check'
import { mostly, plain, quoted, word } from './yaml-words.ts'

const comment = mostly(['', '', ' ', ' # c'], ['  ', '  #', '#x', ' # a: b', ' # |', '\t', ' \t# c', '\r'])
const colon = mostly([': ', ': ', ':  '], [':', ' : ', ' :', ':\t'])

const { flow } = fc.letrec<{ flow: string; list: string; map: string }>((tie) => ({
  flow: fc.oneof({ depthSize: 'small' }, word, quoted, tie('list'), tie('map')),
  list: fc
    .tuple(
      mostly(['[', '[ '], ['[\n  ', '[\n', '[ # c\n  ', '[#', '[,']),
      fc.array(fc.oneof({ weight: 4, arbitrary: tie('flow') }, { weight: 1, arbitrary: pair(tie('flow')) }), {
        maxLength: 3,
      }),
      mostly([', ', ','], [' ,', ',\n  ', '\n  ,', ', # c\n    ', ',#', ',\n', ' ']),
      mostly([']', ' ]', ', ]'], [',]', '\n]', '\n  ]', '', ',,]']),
    )
    .map(([start, items, comma, end]) => start + items.join(comma) + end),
  map: fc
    .tuple(
      mostly(['{ ', '{'], ['{\n  ', '{\n', '{? ', '{ # c\n  ']),
      fc.array(fc.oneof({ weight: 9, arbitrary: pair(tie('flow')) }, { weight: 1, arbitrary: tie('flow') }), {
        maxLength: 3,
      }),
      mostly([', ', ','], [' ,', ',\n  ', ',\n', '\n  , ', ',#', ' ']),
      mostly([' }', '}', ', }'], [',}', '\n}', '\n  }', '']),
    )
    .map(([start, items, comma, end]) => start + items.join(comma) + end),
}))

function pair(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const key = fc.oneof(
    { weight: 7, arbitrary: word },
    { weight: 2, arbitrary: quoted },
    { weight: 1, arbitrary: value },
  )
  const gap = mostly([': ', ':  '], [':', ' : ', '\n: ', ':\n  ', ': # c\n  ', ''])
  return fc.tuple(key, gap, fc.oneof({ weight: 6, arbitrary: value }, fc.constant(''))).map((parts) => parts.join(''))
}

/** What a value looks like depends on how deep it stands. */
type Layout = (indent: string) => string

const text: fc.Arbitrary<Layout> = fc
  .tuple(
    mostly(['|', '>', '|-', '>-', '|+', '>+'], ['|2', '>1-', '|+1', '|1', '>2', '|4', '|0', '|-+', '|a']),
    comment,
    mostly(['', '  '], [' ', '    ']),
    fc.array(
      fc.tuple(
        mostly(['', '', '  '], [' ', '\t']),
        fc.oneof(plain, mostly(['', '', 'a: b'], ['# c', '- a', '---', '...'])),
      ),
      { maxLength: 5 },
    ),
    mostly([''], ['\n', '\n\n', '\n ', '\n   ']),
  )
  .map(([header, after, deeper, lines, end]) => (indent) => {
    const written = lines.map(([more, line]) => (line === '' ? more : `${indent}${deeper}${more}${line}`))
    return `${header}${after}\n${written.join('\n')}${end}`
  })

const overLines: fc.Arbitrary<Layout> = fc
  .tuple(plain, plain, mostly(['\n', '\n\n'], [' \n ', '\n  ', '\n# c\n', ' # c\n']))
  .map(
    ([one, two, gap]) =>
      (indent) =>
        `${one}${gap}${indent}${two}`,
  )

const { map, list } = fc.letrec<{ value: Layout; map: Layout; list: Layout }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(plain, plain, quoted, flow).map((line) => () => line),
    overLines,
    text,
    tie('map'),
    tie('list'),
  ),
  list: fc
    .tuple(
      fc.array(fc.tuple(mostly([' ', '  '], ['\n', ' # c\n', '\t', '']), tie('value'), comment), {
        minLength: 1,
        maxLength: 3,
      }),
      mostly(['', '\n'], ['# c\n', '  # c\n', '#x\n', '  #x\n', '\t\n', ' ']),
    )
    .map(([items, between]) => (indent) => {
      const written = items.map(([gap, value, after]) => {
        const isBelow = gap.endsWith('\n')
        const deeper = `${indent}${isBelow ? '  ' : ` ${gap}`}`
        return `-${gap}${isBelow ? deeper : ''}${value(deeper)}${after}`
      })
      return written.join(`\n${between}${indent}`)
    }),
  map: fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.oneof(
            { weight: 8, arbitrary: word },
            { weight: 2, arbitrary: quoted },
            mostly(['b'], ['? a\n', '? ', '', '- ', '[a]']),
          ),
          colon,
          mostly(
            ['', '\n  ', '\n  '],
            [' # c\n  ', '\n', '\n    ', '\n\n  ', '\n# c\n  ', '\n#x\n  ', '\n #x\n  ', '\n    #\n#x\n  '],
          ),
          fc.oneof(
            { weight: 6, arbitrary: tie('value') },
            fc.constant(() => ''),
          ),
          comment,
        ),
        { minLength: 1, maxLength: 3 },
      ),
      mostly(['', '\n'], ['# c\n', '    # c\n', '#x\n', ' #x\n', '   #x\n', ' \n', '\t\n', ' ']),
    )
    .map(([entries, between]) => (indent) => {
      const written = entries.map(([key, separator, gap, value, after]) => {
        const deeper = `${indent}${gap.slice(gap.lastIndexOf('\n') + 1) || (gap === '' ? '  ' : '')}`
        return `${key}${separator}${gap === '' ? '' : gap.slice(0, gap.lastIndexOf('\n') + 1) + deeper}${value(deeper)}${after}`
      })
      return written.join(`\n${between}${indent}`)
    }),
}))

/** YAML of every kind, most of it sound. */
export const made: fc.Arbitrary<string> = fc
  .tuple(
    mostly(
      ['', '', '# c\n', '\n', '---\n'],
      ['--- ', ' ', '%YAML 1.2\n---\n', '\ufeff', '...\n', ' ---\n', '--- # c\n'],
    ),
    fc.oneof(
      { weight: 5, arbitrary: map },
      { weight: 2, arbitrary: list },
      { weight: 1, arbitrary: flow.map((line) => () => line) },
    ),
    mostly(['', '\n', '\n', '\n\n'], ['\n# c', '\n...\n', '\n---\n', '\n--- a', '\n...\n# c\n', ' ', '\n  ', '\n\t']),
  )
  .map(([start, value, end]) => start + value('') + end)
