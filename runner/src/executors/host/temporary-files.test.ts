import assert from 'node:assert/strict'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import { startRunner, temporaryFolder } from '../../testing/runner-under-test.ts'

const names = 'echo "$TMPDIR"; [ "$TMP" = "$TMPDIR" ]; [ "$TEMP" = "$TMPDIR" ]'

describe('temporary files of tasks on the host', () => {
  test('two attempts of a run do not meet, and each finds an empty folder', async () => {
    await using runner = await startRunner()
    const { gateway } = runner
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    const gate = join(folder.path, 'open')
    const script = `${names}; [ -z "$(ls -A "$TMPDIR")" ]; echo of one > "$TMPDIR/lock"; mktemp > /dev/null; echo on
        until [ -e ${gate} ]; do sleep 0.02; done`
    for (const fence of [1n, 2n]) gateway.assign({ fence, runId: 'one', script })
    const both = () => [1n, 2n].every((fence) => gateway.texts(fence).includes('on'))
    await gateway.until(both, 'both have their temporary files')
    writeFileSync(gate, '')
    for (const fence of [1n, 2n]) assert.equal((await gateway.finished(fence)).result, Result.SUCCESS)
    const folders = [1n, 2n].map((fence) => gateway.texts(fence)[0] ?? '')
    assert.notEqual(folders[0], folders[1])
    for (const each of folders) assert.ok(each.startsWith('/'), each)
    await gateway.until(() => folders.every((each) => !existsSync(each)), 'they go with their attempts')
  })

  test('a task may name another folder', async () => {
    await using runner = await startRunner()
    runner.gateway.assign({ fence: 1n, script: 'echo "$TMPDIR"', environment: { TMPDIR: '/tmp' } })
    assert.equal((await runner.gateway.finished(1n)).result, Result.SUCCESS)
    assert.deepEqual(runner.gateway.texts(1n), ['/tmp'])
  })
})
