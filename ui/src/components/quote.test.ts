import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { quote } from './quote.ts'

test.each(['plain', 'two words', "it's", '$HOME', '`id`', 'a\nb', '', '"', '\\', '!x', 'ü', '-x'])(
  'a shell reads %j back as it was',
  (word) => {
    expect(execFileSync('sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' })).toBe(word)
  },
)
