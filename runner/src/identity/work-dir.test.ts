import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Trash } from '../executors/workspace/trash.ts'
import { temporaryFolder } from '../testing/runner-under-test.ts'
import { makeDeepTree, quickFolder } from '../trees/testing.ts'
import { Trees } from '../trees/trees.ts'
import { openWorkDir, sweepWorkDir } from './work-dir.ts'

describe('what a former life of the runner left', () => {
  test('is set aside at once, 30,000 folders within one another included, and is gone in the end', async () => {
    const root = mkdtempSync(join(quickFolder, 'signalbox-sweep-'))
    chmodSync(root, 0o711)
    const workDir = openWorkDir(join(root, 'work'), undefined)
    await using trees = new Trees()
    using trash = new Trash({ folder: workDir.trash, trees, stuck: () => assert.fail('nothing is stuck') })
    makeDeepTree(join(workDir.workspaces, '1'), 30_000)
    mkdirSync(join(workDir.workspaces, '2', 'closed'), { recursive: true })
    chmodSync(join(workDir.workspaces, '2', 'closed'), 0)
    writeFileSync(join(workDir.logs, '7'), 'lines')
    assert.deepEqual(
      sweepWorkDir(workDir, (path) => trash.setAside(path)),
      { found: 3, stuck: [] },
    )
    assert.deepEqual(readdirSync(workDir.workspaces), ['trash'])
    assert.deepEqual(readdirSync(workDir.logs), [])
    await trash.empty()
    assert.deepEqual(readdirSync(workDir.workspaces), [])
    rmSync(root, { recursive: true })
  })

  test('is set aside once: a trash that is there already is only gone through', async () => {
    using root = temporaryFolder()
    const workDir = openWorkDir(join(root.path, 'work'), undefined)
    await using trees = new Trees()
    using trash = new Trash({ folder: workDir.trash, trees, stuck: () => assert.fail('nothing is stuck') })
    mkdirSync(join(workDir.workspaces, '1'))
    trash.setAside(join(workDir.workspaces, '1'))
    assert.equal(sweepWorkDir(workDir, () => assert.fail('there is nothing else')).found, 0)
    await trash.empty()
    assert.ok(!existsSync(workDir.trash))
  })
})
