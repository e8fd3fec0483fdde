import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '../../log.ts'
import { BridgeRules } from './bridge-rules.ts'

describe('rules for the bridges of tasks', () => {
  /** Rules of which each writing ends as told; the last of these ends is that of all later ones. */
  const rulesThatEnd = (...ends: (string | undefined)[]) => {
    const diary: string[] = []
    let turn = 0
    const write = async () => ends[Math.min(turn++, ends.length - 1)]
    return {
      diary,
      rules: new BridgeRules(
        createLog((line) => diary.push(line)),
        write,
      ),
    }
  }

  test('that cannot be written are missed with one warning, and tasks go on', async () => {
    const { diary, rules } = rulesThatEnd('nft is not installed')
    assert.deepEqual([await rules.renew(), await rules.renew()], [undefined, undefined])
    assert.equal(diary.length, 1)
    assert.match(diary[0] ?? '', /"warn".*nft is not installed.*can reach ports of the engine's machine/)
  })

  test('that were there once are never gone without: the reason is for the task', async () => {
    const { diary, rules } = rulesThatEnd(undefined, undefined, 'nft refused: busy')
    assert.deepEqual(
      [await rules.renew(), await rules.renew(), await rules.renew()],
      [undefined, undefined, 'nft refused: busy'],
    )
    assert.equal(diary.length, 1)
  })

  test('hold from when they can be written', async () => {
    const { diary, rules } = rulesThatEnd('nft is not installed', undefined)
    await rules.renew()
    assert.equal(await rules.renew(), undefined)
    assert.match(diary[1] ?? '', /cannot reach ports of this machine/)
  })

  test('a bridge that is not in the network of the runner is told once', async () => {
    const { diary, rules } = rulesThatEnd(undefined)
    assert.equal(rules.misses('sbx-nowhere'), false)
    await rules.renew()
    assert.deepEqual([rules.misses('lo'), rules.misses('sbx-nowhere')], [false, true])
    rules.tellMissed('sbx-nowhere')
    rules.tellMissed('sbx-nowhere')
    assert.equal(rules.misses('sbx-nowhere'), false)
    assert.equal(diary.filter((line) => line.includes('sbx-nowhere')).length, 1)
  })
})
