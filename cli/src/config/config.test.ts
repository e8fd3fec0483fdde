import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readBirth } from '@signalbox/contracts/processes'
import { CommandFailed } from '../errors.ts'
import { makeTestFolder } from '../testing/test-surroundings.ts'
import { connect, findConnection } from './connection.ts'
import { dataDirOf, findInstance } from './local-instance.ts'
import { findProfile, profilePath, removeProfile, storeProfile } from './profile.ts'

function runHere(folder: string, url = 'http://127.0.0.1:8080', pid = process.pid, birth?: string): void {
  mkdirSync(join(folder, '.signalbox'), { recursive: true })
  writeFileSync(
    join(folder, '.signalbox/address.json'),
    JSON.stringify({ url, runner_url: 'http://127.0.0.1:8081', pid, birth }),
  )
  writeFileSync(join(folder, '.signalbox/bootstrap-token'), 'local-token\n')
}

describe('the profile', () => {
  test('is kept for its user alone, and found again', () => {
    using folder = makeTestFolder()
    const path = profilePath(folder.surroundings())
    assert.equal(path, join(folder.path, '.config/signalbox/config.json'))
    assert.equal(findProfile(path), undefined)
    storeProfile(path, { url: 'http://x', token: 't' })
    assert.deepEqual(findProfile(path), { url: 'http://x', token: 't' })
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(removeProfile(path), true)
    assert.equal(removeProfile(path), false)
  })

  test('honours XDG_CONFIG_HOME where it is absolute', () => {
    using folder = makeTestFolder()
    const pathFor = (home: string) => profilePath(folder.surroundings({ env: { XDG_CONFIG_HOME: home } }))
    assert.equal(pathFor('/x'), '/x/signalbox/config.json')
    assert.equal(pathFor('x'), join(folder.path, '.config/signalbox/config.json'))
  })

  test('that is damaged is told, not guessed', () => {
    using folder = makeTestFolder()
    const path = join(folder.path, 'config.json')
    writeFileSync(path, '{"url": 5}')
    assert.throws(() => findProfile(path), CommandFailed)
  })
})

describe('the control plane that commands speak to', () => {
  test('is the one of the environment first', () => {
    using folder = makeTestFolder()
    runHere(folder.path)
    const env = { SIGNALBOX_URL: 'http://elsewhere:1/', SIGNALBOX_TOKEN: 'mine' }
    assert.deepEqual(findConnection(folder.surroundings({ env }), {}), {
      url: 'http://elsewhere:1',
      token: 'mine',
      origin: 'environment',
    })
  })

  test('is the one that runs here, before the one of the profile', () => {
    using folder = makeTestFolder()
    storeProfile(profilePath(folder.surroundings()), { url: 'http://far', token: 'far-token' })
    assert.equal(findConnection(folder.surroundings(), {})?.url, 'http://far')
    runHere(folder.path)
    const local = { url: 'http://127.0.0.1:8080', token: 'local-token', origin: 'local' }
    assert.deepEqual(findConnection(folder.surroundings(), {}), local)
  })

  test('gets no token that was meant for another', () => {
    using folder = makeTestFolder()
    storeProfile(profilePath(folder.surroundings()), { url: 'http://far', token: 'far-token' })
    runHere(folder.path)
    const tokenFor = (url: string) => findConnection(folder.surroundings(), { url })?.token
    assert.equal(tokenFor('http://stranger'), undefined)
    assert.equal(tokenFor('http://far/'), 'far-token')
    assert.equal(tokenFor('http://127.0.0.1:8080'), 'local-token')
  })

  test('that is dead is none', () => {
    using folder = makeTestFolder()
    runHere(folder.path, 'http://127.0.0.1:8080', 2 ** 22 + 1)
    assert.equal(findInstance(join(folder.path, '.signalbox')), undefined)
    assert.throws(() => connect(folder.surroundings(), {}), { message: 'No control plane is known here.', exitCode: 5 })
  })

  test('that is another process by now is none, nor is one that has ended and is not reaped', {
    skip: process.platform !== 'linux',
  }, async () => {
    using folder = makeTestFolder()
    const find = () => findInstance(join(folder.path, '.signalbox'))
    const own = readBirth(readFileSync('/proc/self/stat', 'utf8'))
    runHere(folder.path, undefined, process.pid, own)
    assert.equal(find()?.pid, process.pid)
    runHere(folder.path, undefined, process.pid, '1')
    assert.equal(find(), undefined)
    // The shell becomes a sleep, which reaps nobody; only then its child ends.
    const child = `sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done'`
    const parent = spawn('/bin/sh', ['-c', `${child} & echo $!; exec sleep 60`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line] = await once(parent.stdout, 'data')
    const ended = Number(line)
    while (!/\) Z /.test(readFileSync(`/proc/${ended}/stat`, 'utf8'))) await new Promise(setImmediate)
    runHere(folder.path, undefined, ended)
    assert.equal(find(), undefined)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  })

  test('must have an address', () => {
    using folder = makeTestFolder()
    assert.throws(() => connect(folder.surroundings(), { url: 'localhost:8080' }), { exitCode: 2 })
  })
})

test('the data folder is that of the option, the environment, signalbox.yaml, or the default', () => {
  using folder = makeTestFolder()
  const at = (name: string) => join(folder.path, name)
  assert.equal(dataDirOf(folder.surroundings()), at('.signalbox'))
  writeFileSync(at('signalbox.yaml'), 'data_dir: from-file\n')
  assert.equal(dataDirOf(folder.surroundings()), at('from-file'))
  const named = folder.surroundings({ env: { DATA_DIR: 'from-env' } })
  assert.equal(dataDirOf(named), at('from-env'))
  assert.equal(dataDirOf(named, 'given'), at('given'))
})
