import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { addressWhere, FREE, isAlive, makeFolder, startSignalbox } from './testing.ts'

let folder: string
let port = '0'

before(() => {
  folder = makeFolder()
})
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

const signalbox = (...args: readonly string[]) => startSignalbox(folder, ...args)

describe('the demo', () => {
  test('takes a signed push to a finished run, from nothing', async () => {
    const { code, out, err } = await signalbox('demo', '--once', ...FREE).ended
    assert.equal(code, 0, `${out}\n${err}`)
    assert.match(out, /^answer +202 \{"status":"accepted"\}$/m)
    for (const task of ['check/prices', 'check/style', 'assemble/list', 'publish/release']) {
      assert.match(out, new RegExp(`^${task} started\n(.*\n)*${task} ✓ success`, 'm'))
    }
    // An output was passed on, a condition was looked at, and a secret was masked.
    assert.match(out, /^assemble\/list │ 4 prices in euro$/m)
    assert.match(out, /^step rehearse - skipped .*branch/m)
    assert.match(out, /^publish\/release │ signing in with the token \*\*\*$/m)
    assert.match(out, /^publish\/release │ publishing 4 prices of commit [0-9a-f]{7}$/m)
    assert.match(out, /^run ✓ success/m)
    const token = readFileSync(join(folder, '.signalbox/bootstrap-token'), 'utf8').trim()
    assert.equal(statSync(join(folder, '.signalbox/bootstrap-token')).mode & 0o777, 0o600)
    assert.equal(out.includes(token) || err.includes(token), false)
  })

  test('finds its data again, and the commands find it', async () => {
    const demo = signalbox('demo', ...FREE)
    await demo.printed(/Serving until Ctrl-C/)
    const [, given = ''] = await demo.printed(/Signalbox is up: http:\/\/127\.0\.0\.1:(\d+)/)
    port = given
    const { out } = await signalbox('run', 'list', '--json').ended
    const runs: unknown = JSON.parse(out)
    assert.ok(Array.isArray(runs))
    assert.equal(runs.length, 2)
    const doctor = await signalbox('doctor').ended
    assert.equal(doctor.code, 0, doctor.out)
    assert.match(doctor.out, /1 of 1 are connected/)
    // As docs/first-steps.md has it: what the demo made is the bootstrap token's, and starts nothing any more.
    for (const words of [
      ['administrator', 'ada'],
      ['revoke-bootstrap', '--force'],
    ]) {
      const { code, err } = await signalbox('setup', ...words).ended
      assert.equal(code, 0, err)
    }
    demo.process.kill('SIGINT')
    const ended = await demo.ended
    assert.equal(ended.code, 0, ended.err)
    assert.match(ended.out, /^team +demo, .* \(found again\)$/m)
    assert.match(ended.out, /^pipeline +demo\/build, version 1$/m)
    assert.match(ended.out, /^git push +[0-9a-f]{10} "Bread costs 4\.30"$/m)
    assert.match(ended.out, /^run ✓ success/m)
    assert.equal(existsSync(join(folder, '.signalbox/address.json')), false)
  })

  test('is of the person who signed in, once the bootstrap token is revoked', async () => {
    // They signed in at this address.
    const { code, out, err } = await signalbox('demo', '--once', ...FREE, '--port', port).ended
    assert.equal(code, 0, `${out}\n${err}`)
    assert.match(out, /^run ✓ success/m)
  })
})

describe('up', () => {
  test('starts a control plane that was killed again, on the same address, and leaves nothing behind', async () => {
    const up = signalbox('up', ...FREE)
    const [, url = ''] = await up.printed(/Signalbox is up: (\S+)/)
    const first = await addressWhere(join(folder, '.signalbox'), (found) => found !== undefined)
    assert.ok(first)
    process.kill(first.pid, 'SIGKILL')
    const second = await addressWhere(
      join(folder, '.signalbox'),
      (found) => found !== undefined && found.pid !== first.pid,
    )
    assert.equal(second?.url, url)
    const health = await fetch(`${url}/livez`)
    assert.equal(health.ok, true)
    up.process.kill('SIGKILL')
    await up.ended
    // The parent is gone: the program stops by itself when its channel ends.
    await addressWhere(join(folder, '.signalbox'), (found) => found === undefined)
    // The database is stopped with the control plane, before the folder goes.
    while (isAlive(second?.pid ?? 0)) await wait(20)
  })
})
