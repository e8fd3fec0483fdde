import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { SCOPE, TEAM } from '../sources/testing.ts'
import { aRepository, HEAD, openCommands, openFakeProvider } from './testing.ts'

const house = await openCommands(await createTestDatabase())
const provider = await openFakeProvider()
after(async () => {
  await house.close()
  await provider.close()
})

describe('/run', () => {
  test('starts the pipeline at the head that the provider names, as the owner of the source, once', async () => {
    const repository = await aRepository(house, provider)
    const id = await repository.comment('Please.\n\n/run build\n')
    assert.deepEqual(await repository.runs(), [])
    await house.work()
    const [run, ...others] = await repository.runs()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [run?.pipeline_identifier, run?.commit_sha, run?.scope, run?.status, run?.untrusted, run?.withheld],
      [`${TEAM}/build`, HEAD, SCOPE, 'queued', false, null],
    )
    assert.match(run?.initiator_name ?? '', /^root, for mona at GitHub$/)
    assert.equal(run?.note, 'Asked for by mona in a comment.')
    const [command] = await repository.listed()
    assert.deepEqual(
      [command?.['state'], command?.['outcome'], command?.['command'], command?.['comment_id'], command?.['run_ids']],
      ['done', 'started', '/run build', id, [run?.id]],
    )
    assert.deepEqual(house.told.at(-1), { commentId: id, reaction: 'done', text: undefined })
  })
})
