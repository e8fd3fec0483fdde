import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const SOURCE = '01a200e0-77a3-7000-a92b-1507a62890ce'
const COMMAND = {
  id: '01a200e0-77a3-7000-a92b-1507a62890cf',
  source_id: SOURCE,
  repository: 'acme/shop',
  pull_request: 7,
  comment_id: '9',
  author_id: '583231',
  author_login: 'mona',
  state: 'refused',
  command: '/run build',
  outcome: 'not_permitted',
  reason: 'GitHub does not say that you may write to the repository.',
  acted_as: null,
  run_ids: [],
  delivery_id: SOURCE,
  received_at: '2026-11-28T08:00:00.000Z',
  decided_at: '2026-11-28T08:00:01.000Z',
  told_at: null,
}

test('source commands shows who wrote what, and why it was refused', async () => {
  await using here = await stage((_request, response) => answer(response, 200, [COMMAND]))
  const { code, out } = await here.run(['source', 'commands', SOURCE, '-r', 'acme/shop', '--limit', '5'])
  assert.equal(code, 0)
  assert.match(out, /acme\/shop#7\tmona\t\/run build\trefused\t0\tGitHub does not say/)
  assert.match(here.api.seen[0]?.path ?? '', new RegExp(`/v1/comment-commands\\?.*source_id=${SOURCE}`))
  assert.match(here.api.seen[0]?.path ?? '', /repository=acme%2Fshop/)
})

test('run commands shows who gave which command for the run, and with whose rights', async () => {
  const { id, repository, pull_request, comment_id, author_id, received_at } = COMMAND
  const given = { id, repository, pull_request, comment_id, author_id, author_login: null, received_at }
  const done = { command: '/rerun failed', outcome: 'rerun', acted_as: 'Ada', decided_at: COMMAND.decided_at }
  await using here = await stage((_request, response) => answer(response, 200, [{ ...given, ...done }]))
  const { code, out } = await here.run(['run', 'commands', SOURCE])
  assert.equal(code, 0)
  assert.match(out, /acme\/shop#7\t583231\t\/rerun failed\trerun\tAda/)
  assert.equal(here.api.seen[0]?.path.split('?')[0], `/v1/runs/${SOURCE}/commands`)
})
