import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApprovalAnswer } from '@signalbox/contracts/approvals'
import { answer, refuse } from '../testing/fake-api.ts'
import { anApproval, anApprovalRequest, aRun } from '../testing/run-samples.ts'
import { stage } from '../testing/stage.ts'

const ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
const SHA = 'a'.repeat(40)
/** The API's answer to a decision. */
const answerOf = (status: string, more: Partial<ApprovalAnswer> = {}): ApprovalAnswer => {
  const { queued_at, started_at, finished_at } = aRun()
  const base = { run_id: ID, status, reason: null, queued_at, started_at, finished_at }
  return { ...base, approval: anApproval(), request: null, ...more }
}
const HELD = aRun({
  run_id: ID,
  status: 'queued',
  cause: 'event',
  branch: 'main',
  pull_request: 7,
  hold: { kind: 'fork_approval', pull_request: 7 },
  untrusted: true,
  queue_reason: 'It waits for the approval of a member.',
})

describe('a run that waits for an approval', () => {
  test('is approved with a comment and the commit that was looked at', async () => {
    const decided = answerOf('queued')
    await using here = await stage((_request, response) => answer(response, 200, decided))
    const { code, out, err } = await here.run(['run', 'approve', ID, 'fork', '-m', 'looks fine', '--commit', SHA])
    assert.deepEqual([code, out, err], [0, '', `Run ${ID} is approved; it is queued.\n`])
    const [seen] = here.api.seen
    assert.deepEqual([seen?.method, seen?.path], ['POST', `/v1/runs/${ID}/approvals/fork`])
    assert.deepEqual(JSON.parse(seen?.body ?? ''), { decision: 'approve', comment: 'looks fine', commit_sha: SHA })
  })

  test('that ended at once says why', async () => {
    const decided = answerOf('canceled', { reason: 'A newer commit runs already.' })
    await using here = await stage((_request, response) => answer(response, 200, decided))
    assert.match((await here.run(['run', 'approve', ID, 'fork'])).err, /it is canceled: A newer commit runs already\./)
  })

  test('is rejected; with --json the answer is printed', async () => {
    const decided = answerOf('canceled', { reason: 'rejected by ada', approval: anApproval({ decision: 'reject' }) })
    await using here = await stage((_request, response) => answer(response, 200, decided))
    assert.equal((await here.run(['run', 'reject', ID, 'fork'])).err, `Run ${ID} is rejected and has ended.\n`)
    assert.deepEqual(JSON.parse(here.api.seen[0]?.body ?? ''), { decision: 'reject' })
    assert.deepEqual(JSON.parse((await here.run(['run', 'reject', ID, 'fork', '--json'])).out), decided)
  })

  test('is of a whole commit: an abbreviated one is refused before anything is asked', async () => {
    await using here = await stage((_request, response) => answer(response, 200, HELD))
    const { code, err } = await here.run(['run', 'approve', ID, 'fork', '--commit', SHA.slice(0, 10)])
    assert.equal(code, 2)
    assert.match(err, /aaaaaaaaaa is no whole commit id: .*\n.*run show/)
    assert.deepEqual(here.api.seen, [])
  })

  test('of another commit is a conflict', async () => {
    await using here = await stage((_request, response) =>
      refuse(response, 409, 'run.head_moved', 'The pull request is at another commit by now.'),
    )
    const { code, err } = await here.run(['run', 'approve', ID, 'fork'])
    assert.equal(code, 6)
    assert.match(err, /at another commit/)
  })

  test('needs no name of a step', async () => {
    const decided = answerOf('queued')
    await using here = await stage((request, response) =>
      answer(response, 200, request.method === 'GET' ? { ...HELD, approval_requests: [] } : decided),
    )
    assert.equal((await here.run(['run', 'approve', ID])).code, 0)
    assert.equal(here.api.seen[1]?.path, `/v1/runs/${ID}/approvals/fork`)
  })

  test('is shown as one, in the list and by itself', async () => {
    await using list = await stage((_request, response) => answer(response, 200, [HELD, { ...HELD, hold: null }]))
    const { out } = await list.run(['run', 'list'])
    assert.match(out, /\t#7, waits for approval\n.*\t#7\n$/)
    const shown = {
      ...HELD,
      approvals: [anApproval({ decision: 'reject', comment: 'mines coins' })],
      note: 'Something else.',
    }
    await using one = await stage((_request, response) => answer(response, 200, shown))
    const fields = (await one.run(['run', 'show', ID])).out
    for (const expected of [
      /pull request\s+#7/,
      /secrets\s+none/,
      /waits for\s+It waits for the approval of a member\./,
      /note\s+Something else\./,
      /fork\s+rejected by ada .* ago: mines coins/,
    ]) {
      assert.match(fields, expected)
    }
  })
})

const DECISION = { decision: 'approve', comment: null, fields: {}, commit_sha: SHA } as const
const REQUEST = anApprovalRequest({
  run_id: ID,
  pipeline: 'acme/ship',
  scope: 'acme/production',
  commit_sha: SHA,
  initiator: { kind: 'user', id: ID, name: 'eve' },
  approvers: ['group:leads'],
  required: 2,
  message: 'Ship it?',
  fields: [{ name: 'region', type: 'choice', required: true, options: ['eu', 'us'], default: null, description: null }],
  deadline_at: '2026-11-22T03:00:00.000Z',
  decisions: [
    { ...DECISION, by: { kind: 'user', id: 'a', name: 'ada' }, decided_at: HELD.queued_at, lapsed: null },
    {
      ...DECISION,
      by: { kind: 'user', id: 'b', name: 'bob' },
      decided_at: HELD.queued_at,
      lapsed: 'bob is disabled or gone.',
    },
  ],
})
const PAUSED = { ...HELD, status: 'paused', hold: null, approval_requests: [REQUEST] }

describe('a step that waits for an approval', () => {
  test('is in the list of what waits for me', async () => {
    await using here = await stage((_request, response) => answer(response, 200, [REQUEST]))
    const { out } = await here.run(['approval', 'list', '-t', 'acme'])
    assert.match(out, /release\tacme\/ship\tacme\/production\taaaaaaaaaa\t1 of 2\t.* ago for eve\t/)
    assert.match(out, /Ship it\?; fields: region \(eu\|us\)/)
    assert.match(here.api.seen[0]?.path ?? '', /^\/v1\/approvals\?.*team_path=acme/)
  })

  test('is in the list of what was decided, with who decided and why', async () => {
    const reject = { decision: 'reject', comment: 'not on a Friday' } as const
    const votes = [
      {
        ...DECISION,
        ...reject,
        by: { kind: 'user' as const, id: 'b', name: 'bob' },
        decided_at: HELD.queued_at,
        lapsed: null,
      },
    ]
    const decided = {
      ...REQUEST,
      status: 'rejected',
      decided_at: HELD.queued_at,
      decisions: [...REQUEST.decisions.slice(0, 1), ...votes],
    }
    await using here = await stage((_request, response) => answer(response, 200, [decided]))
    const { out } = await here.run(['approval', 'list', '--decided', '-t', 'acme'])
    assert.match(
      out,
      /\trelease\tacme\/ship\tacme\/production\taaaaaaaaaa\trejected\tada, bob\t.* ago\tnot on a Friday\n$/,
    )
    assert.equal(here.api.seen[0]?.path, '/v1/approvals?team_path=acme&state=decided&limit=50')
  })

  test('is shown with the run, with what stands in its way', async () => {
    const waiting = { ...REQUEST, obstacle: 'Only 1 can.' }
    await using here = await stage((_request, response) =>
      answer(response, 200, {
        ...PAUSED,
        approval_requests: [waiting, { ...REQUEST, step: 'done', status: 'approved' }],
      }),
    )
    const { out } = await here.run(['run', 'show', ID])
    assert.match(out, /release\s+waits for group:leads: 1 of 2 approved; Only 1 can\.; bob is disabled or gone\./)
    assert.doesNotMatch(out, /^done/m)
  })

  test('is found where it is the only one, and its fields are filled in', async () => {
    const approved = { ...REQUEST, status: 'approved' as const }
    const decided = answerOf('paused', { request: approved })
    await using here = await stage((request, response) =>
      answer(response, 200, request.method === 'GET' ? PAUSED : decided),
    )
    const { err, code } = await here.run(['approval', 'approve', ID, '-f', 'region=eu'])
    assert.deepEqual([code, err], [0, `Step release of run ${ID} is approved; the run goes on.\n`])
    const seen = here.api.seen[1]
    assert.equal(seen?.path, `/v1/runs/${ID}/approvals/release`)
    assert.deepEqual(JSON.parse(seen?.body ?? ''), { decision: 'approve', fields: { region: 'eu' } })
  })

  test('says how many approvals it still needs', async () => {
    const decided = answerOf('paused', { request: REQUEST })
    await using here = await stage((_request, response) => answer(response, 200, decided))
    assert.match((await here.run(['approval', 'approve', ID, 'release'])).err, /1 of 2 that step release/)
  })

  test('must be named where there are several, and there must be one', async () => {
    const two = { ...PAUSED, approval_requests: [REQUEST, { ...REQUEST, step: 'audit' }] }
    await using several = await stage((_request, response) => answer(response, 200, two))
    const asked = await several.run(['approval', 'reject', ID])
    assert.deepEqual([asked.code, /release, audit/.test(asked.err)], [2, true])
    await using none = await stage((_request, response) => answer(response, 200, { ...PAUSED, approval_requests: [] }))
    const nothing = await none.run(['approval', 'approve', ID])
    assert.deepEqual([nothing.code, /waits for no approval/.test(nothing.err)], [6, true])
  })
})
