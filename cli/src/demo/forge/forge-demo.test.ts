import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { addressWhere, FREE, isAlive, makeFolder, startSignalbox } from '../testing.ts'

/** The whole circle of a Git app, in processes of its own: control plane, runner and the fake forge. */

const FORGE = /^forge +(http:\/\/127\.0\.0\.1:\d+), a fake GitHub/m

let folder: string
before(() => {
  folder = makeFolder()
})
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

const demo = (...args: readonly string[]) => startSignalbox(folder, 'demo', '--forge', ...args, ...FREE)
const isThere = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

describe('the demo with a forge', () => {
  test('registers, installs, pushes, and shows check, comment and a command, from nothing', async () => {
    const { code, out, err } = await demo('--once').ended
    assert.equal(code, 0, `${out}\n${err}`)
    assert.match(out, /^callback +http:\S+\?outcome=registered&provider=github$/m)
    assert.match(out, /^callback +http:\S+\?outcome=installed&provider=github$/m)
    assert.match(out, /^installation +\d+ of bakery: active, repositories: 1$/m)
    assert.match(out, /^webhook +pull_request\.synchronize .*\nanswer +202$/m)
    // The check was seen while the run waited, and when it had ended.
    assert.match(out, /^check +signalbox\/demo\/check \(local\) of [0-9a-f]{10}: queued, /m)
    assert.match(out, /^check +signalbox\/demo\/check \(local\) of [0-9a-f]{10}: failure, Failed/m)
    assert.match(out, /^told +queued, (then in_progress, )?then failure$/m)
    assert.match(out, /^ {2}\| `ask` \| failure \|/m)
    assert.match(out, /^annotation +prices\.csv:3 warning: A low price: /m)
    assert.match(out, /^annotation +scripts\/ask-shop\.sh:3 failure: The session is over: /m)
    assert.match(out, /^comment +http:\S+\/bakery\/shop\/pull\/1#\S+ by signalbox-bakery\[bot\]/m)
    assert.match(out, /^comment +ada, who may write to bakery\/shop: \/rerun failed\nreaction +\+1$/m)
    // The command repeated what failed, and nothing else.
    assert.match(out, /^read\/prices ✓ success .* taken over from run /m)
    assert.match(out, /^check +signalbox\/demo\/check \(local\) of [0-9a-f]{10}: success, Succeeded/m)
    assert.equal(await isThere(FORGE.exec(out)?.[1] ?? ''), false, 'the forge ends with the demo')
    const token = readFileSync(join(folder, '.signalbox-forge/bootstrap-token'), 'utf8').trim()
    assert.doesNotMatch(`${out}${err}`, new RegExp(`${token}|gh[ps]_|PRIVATE KEY`))
    assert.equal(existsSync(join(folder, '.signalbox')), false, 'the folder of real work is left alone')
  })

  test('registers anew beside what an earlier one left, and serves until Ctrl-C', async () => {
    const started = demo()
    const [, forge = ''] = await started.printed(FORGE)
    await started.printed(/Serving until Ctrl-C/)
    const page = await fetch(`${forge}/bakery/shop/pull/1`)
    assert.equal(page.status, 200)
    assert.match(
      await page.text(),
      /<h3>ada<\/h3>\s*<pre>\/rerun failed<\/pre>\s*<p>\+1 by signalbox-bakery\[bot\]<\/p>/,
    )
    started.process.kill('SIGINT')
    const { code, err } = await started.ended
    assert.equal(code, 0, err)
    assert.equal(await isThere(forge), false)
    assert.equal(existsSync(join(folder, '.signalbox-forge/address.json')), false)
  })

  test('that is killed leaves nothing behind', async () => {
    const started = demo()
    const [, forge = ''] = await started.printed(FORGE)
    const dataDir = join(folder, '.signalbox-forge')
    const controlPlane = await addressWhere(dataDir, (found) => found !== undefined)
    started.process.kill('SIGKILL')
    await started.ended
    await addressWhere(dataDir, (found) => found === undefined)
    while (await isThere(forge)) await wait(20)
    // The database is stopped with the control plane, before the folder goes.
    while (isAlive(controlPlane?.pid ?? 0)) await wait(20)
  })
})
