import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'

describe('the working directory of a task', { skip: process.getuid?.() !== 0 }, () => {
  test('is no way behind a closed folder, when an earlier task that shares it put a link in its place', async () => {
    using folder = temporaryFolder()
    const closed = join(folder.path, 'closed')
    const inner = join(closed, 'inner')
    mkdirSync(inner, { recursive: true })
    writeFileSync(join(inner, 'secret'), 'of somebody else\n')
    chmodSync(folder.path, 0o755)
    chmodSync(closed, 0o700)
    await using runner = await startRunner()
    const { gateway } = runner
    const exchange = `mv ../workspace ../moved; ln -s ${inner} ../workspace`
    gateway.assign({ fence: 1n, sharedWorkspace: {}, script: exchange })
    assert.equal((await gateway.finished(1n)).result, Result.SUCCESS)

    gateway.assign({ fence: 2n, sharedWorkspace: { begun: true }, script: 'cat secret' })
    const { result, reason } = await gateway.finished(2n)
    assert.equal(result, Result.FAILURE)
    assert.match(reason, /a link or a file lies where its working directory was/)
    assert.doesNotMatch(gateway.texts(2n).join('\n'), /of somebody else/)
  })
})
