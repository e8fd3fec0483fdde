import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gitEnvironment, writeGitFiles } from './git-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-askpass-'))
after(() => rmSync(folder, { recursive: true }))
const files = writeGitFiles(join(folder, 'git'))
const surroundings = { home: folder, path: process.env['PATH'] ?? '', protocols: 'https', configFile: files.configFile }
const credential = { username: 'bot', password: 'the-password', origin: 'https://git.example:8443' }

/** Git's answer to a question; undefined: none. */
function ask(question: string): string | undefined {
  const env = gitEnvironment(files, surroundings, credential)
  const { status, stdout } = spawnSync(files.askpassFile, [question], { env, encoding: 'utf8' })
  if (status !== 0) assert.equal(stdout, '')
  return status === 0 ? stdout : undefined
}

test('the credential is for its own host, and for no other', () => {
  assert.equal(ask("Username for 'https://git.example:8443': "), 'bot\n')
  assert.equal(ask("Username for 'https://git.example:8443/acme/shop.git': "), 'bot\n')
  assert.equal(ask("Password for 'https://bot@git.example:8443': "), 'the-password\n')
  assert.equal(ask("Password for 'https://bot@git.example:8443/acme/shop.git': "), 'the-password\n')
  for (const origin of [
    'https://evil.example',
    'https://git.example',
    'https://git.example:84431',
    'https://git.example:8443.evil.example',
    'https://evil.example/git.example:8443',
    'http://git.example:8443',
  ]) {
    assert.equal(ask(`Username for '${origin}': `), undefined, origin)
    assert.equal(ask(`Password for '${origin.replace('://', '://bot@')}': `), undefined, origin)
  }
  assert.equal(ask('Are you sure you want to continue connecting (yes/no)?'), undefined)
})

test('a checkout without a password has no credential in its environment', () => {
  const env = gitEnvironment(files, surroundings, { ...credential, password: '' })
  assert.deepEqual(
    Object.keys(env).filter((name) => name.startsWith('SIGNALBOX_')),
    [],
  )
})
