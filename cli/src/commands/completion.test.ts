import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { makeTestFolder } from '../testing/test-surroundings.ts'

async function script(shell: string): Promise<string> {
  using folder = makeTestFolder()
  return (await folder.run(['completion', shell])).out
}

/** The words that bash would offer after these words. */
async function offer(...words: readonly string[]): Promise<string[]> {
  const list = words.map((word) => `'${word}'`).join(' ')
  const program = `${await script('bash')}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n')
}

describe('completion', () => {
  test('offers commands, those below them, options and choices', async () => {
    assert.deepEqual(await offer('signalbox', 'com'), ['completion'])
    assert.deepEqual(await offer('signalbox', 'run', 're'), ['reject', 'rerun', 'reports'])
    assert.deepEqual(await offer('signalbox', 'run', 'logs', 'x', '--fo'), ['--follow'])
    assert.deepEqual(await offer('signalbox', 'completion', 'f'), ['fish'])
  })

  test('is a script for the three shells', async () => {
    assert.match(await script('zsh'), /^#compdef signalbox\n/)
    assert.match(await script('fish'), /complete -c signalbox -f .* -a 'doctor'/)
    using folder = makeTestFolder()
    assert.equal((await folder.run(['completion', 'tcsh'])).code, 2)
  })
})
