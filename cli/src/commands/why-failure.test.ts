import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ID = '01900000-0000-7000-8000-000000000001'
const CHILD = '01900000-0000-7000-8000-000000000002'

const line = (number: number, text: string, is: { readonly new?: true; readonly error?: true } = {}) => ({
  number,
  text,
  new: is.new ?? false,
  error: is.error ?? false,
})

const EXPLANATION = {
  run_id: ID,
  status: 'failure',
  reason: null,
  findings: [{ code: 'run.failed', sentence: 'The run failed.', evidence: [{ kind: 'run', id: ID }] }],
  roots: [
    {
      run_id: CHILD,
      through: [{ run_id: ID, step: 'all', task: 'call' }],
      step: 'build',
      task: 'unit',
      attempt: 1,
      attempt_id: null,
      status: 'failure',
      cause: 'exit_code',
      exit_code: 2,
      reason: 'The script \u001b[2Jended.',
      child_run_id: null,
      findings: [{ code: 'failure.exit_code', sentence: 'Task build/unit ended with exit code 2.', evidence: [] }],
      what_to_do: [],
      lines: {
        how: 'new_lines',
        compared_with: [],
        searched_from: 0,
        searched_until: 200,
        cut: true,
        left: 3,
        lines: [
          line(8, 'ok'),
          line(9, 'error: \u202eno\u001b]0;x\u0007', { new: true, error: true }),
          line(120, 'end'),
        ],
      },
    },
  ],
  more_roots: 2,
  never_ran: { count: 0, first: [] },
  canceled: { count: 0, first: [] },
  left_out: ['log.read'],
}

test('why a run failed is told in sentences and numbered lines, which steer no terminal', async () => {
  await using here = await stage((_, response) => answer(response, 200, EXPLANATION))
  const { out, err, code } = await here.run(['why', 'failure', `http://127.0.0.1:1/#/runs/${ID}`])
  assert.equal(code, 0, err)
  assert.equal(here.api.seen[0]?.path, `/v1/explain/failure?run_id=${ID}`)
  for (const steering of ['\u001b', '\u202e', '\u0007']) assert.equal(out.includes(steering), false)
  const lines = out.split('\n').filter((each) => each !== '')
  assert.deepEqual(lines.slice(0, 4), [
    `The run failed. (run ${ID})`,
    'build/unit',
    `In run ${CHILD}, by all/call.`,
    'Task build/unit ended with exit code 2.',
  ])
  const at = lines.indexOf('Lines that no recent success of this task had:')
  assert.deepEqual(lines.slice(at + 1, at + 5), ['    8  ok', '>   9  error: \\u{202e}no', '       ...', '  120  end'])
  assert.match(err, /3 more such lines are not shown/)
  assert.match(err, /2 more failed by themselves/)
  assert.match(err, /Left out, for lack of a permission: log.read/)
  assert.deepEqual(JSON.parse((await here.run(['why', 'failure', ID, '--json'])).out), EXPLANATION)
})

test('a run that failed without a task shows its reason', async () => {
  const refused = { ...EXPLANATION, roots: [], more_roots: 0, left_out: [], reason: 'ada may no longer start it.' }
  await using here = await stage((_, response) => answer(response, 200, refused))
  assert.match((await here.run(['why', 'failure', ID])).out, /ada may no longer start it\./)
})
