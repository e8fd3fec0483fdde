import { compare, confirm, explainFailure, explainPush, explainRun, found, type Question } from './question.ts'

/** What people ask of a delivery system most, each with one cause that the world holds. */
export const QUESTIONS: readonly Question[] = [
  {
    about: 'nothing started',
    text: ({ commits }) => `I pushed commit ${commits.feature} to a branch of acme/shop. Why did nothing run?`,
    calls: [explainPush],
    says: [/trigger\.ref_differs/, /branch feature\/basket/],
  },
  {
    about: 'nothing started',
    text: ({ commits }) => `I tagged commit ${commits.tagged} of acme/shop as v1.0.0. Why is there no release?`,
    calls: [explainPush],
    says: [/trigger\.event_differs/],
  },
  {
    about: 'nothing started',
    text: ({ commits }) => `The docs of acme/shop were not built for commit ${commits.docs}. Why?`,
    calls: [explainPush],
    says: [/The trigger acme\/docs is disabled/, /Enable the trigger/],
  },
  {
    about: 'nothing started',
    text: () => 'Nothing ever runs for acme/wiki. Why?',
    calls: [{ tool: 'explain_push', arguments: { repository: found(/\b(acme\/wiki)\b/) } }],
    says: [/push\.no_source/, /allowlist/],
  },
  {
    about: 'nothing started',
    text: ({ commits }) => `Where is the run of commit ${commits.unheard} of acme/shop?`,
    calls: [explainPush],
    says: [/push\.not_heard/, /Look at the webhook at the provider/],
  },
  {
    about: 'nothing started',
    text: ({ deliveryId }) => `GitHub says that it sent delivery ${deliveryId}. What became of it?`,
    calls: [{ tool: 'explain_push', arguments: { delivery_id: found(/delivery ([0-9a-f-]{36})/) } }],
    says: [/"outcome":"nothing"/, /trigger\.ref_differs/],
  },
  {
    about: 'nothing started',
    text: ({ commits }) => `What did ${commits.feature.slice(0, 10)} start?`,
    calls: [
      { tool: 'find', arguments: { q: found(/\b([0-9a-f]{10})\b/) } },
      { tool: 'explain_push', arguments: { delivery_id: found(/"delivery_id":"([0-9a-f-]{36})"/) } },
    ],
    says: [/"outcome":"nothing"/],
  },
  {
    about: 'nothing started',
    text: ({ commits }) => `Did commit ${commits.started} of acme/shop start what it should?`,
    calls: [explainPush, { tool: 'get_run', arguments: { run_id: found(/started run ([0-9a-f-]{36})/) } }],
    says: [/push\.started/, /"pipeline":"acme\/ok"/],
  },
  {
    about: 'waiting',
    text: ({ runs }) => `Why does run ${runs.nobody} not begin?`,
    calls: [explainRun],
    says: [/run\.no_runner/, /runner that serves the scope/],
  },
  {
    about: 'waiting',
    text: ({ runs }) => `My run ${runs.profile} has been queued for ages. What is missing?`,
    calls: [explainRun],
    says: [/run\.no_runner/, /do\.runner_labels/],
  },
  {
    about: 'waiting',
    text: ({ runs }) => `What does run ${runs.grouped} wait for, and what does that one do?`,
    calls: [explainRun, { tool: 'explain_run', arguments: { run_id: found(/behind run ([0-9a-f-]{36})/) } }],
    says: [/run\.waits_for_turn/, /"status":"running"/],
  },
  {
    about: 'waiting',
    text: ({ runs }) => `Who has to act so that run ${runs.approval} goes on?`,
    calls: [explainRun, { tool: 'list_approvals', arguments: {} }],
    says: [/run\.waits_for_people/, /0 of 1 have approved/],
  },
  {
    about: 'waiting',
    text: ({ runs }) => `Why is run ${runs.emergency} held?`,
    calls: [explainRun],
    says: [/run\.emergency/, /The database is being moved\./],
  },
  {
    about: 'failed',
    text: ({ runs }) => `Why did run ${runs.bad} fail?`,
    calls: [explainFailure],
    says: [/exit code 7/, />\d+ AssertionError: the basket holds 3, wanted 4/],
  },
  {
    about: 'failed',
    text: ({ runs }) => `run ${runs.compile} is red, and ship has no log. What happened?`,
    calls: [explainFailure],
    says: [/"never_ran":\{"count":1/, /cannot find the name Basket/],
  },
  {
    about: 'failed',
    text: ({ runs }) => `Why did run ${runs.late} end so early?`,
    calls: [explainFailure],
    says: [/failure\.task_timeout/, /begun/],
  },
  {
    about: 'failed',
    text: ({ runs }) => `Which task broke run ${runs.child}?`,
    calls: [
      explainFailure,
      {
        tool: 'read_log',
        arguments: {
          run_id: found(/"tool":"read_log","arguments":\{"run_id":"([0-9a-f-]{36})"/),
          step: found(/"step":"(build)"/),
          task: found(/"task":"(work)"/),
        },
      },
    ],
    says: [/Task build\/work ended with exit code 2/, /src\/basket\.ts:12/],
  },
  {
    about: 'failed',
    text: ({ runs }) => `Nothing failed in run ${runs.rejected}, yet it is red. Why?`,
    calls: [explainFailure],
    says: [/failure\.approval_rejected/, /Not on a Friday\./],
  },
  {
    about: 'failed',
    text: ({ runs }) => `Does the log of run ${runs.bad} speak of "basket" anywhere else?`,
    calls: [{ tool: 'search_log', arguments: { run_id: found(/run ([0-9a-f-]{36})/), regex: found(/"(basket)"/) } }],
    says: [/"hits":1/, /the basket holds 3/],
  },
  {
    about: 'changed',
    text: ({ runs }) => `acme/ok was green. What is different about run ${runs.changed}?`,
    calls: [compare],
    says: [/changes\.document/, /\+ .*exit 3/],
  },
  {
    about: 'changed',
    text: ({ runs }) => `What changed between the last good tests and run ${runs.bad}?`,
    calls: [compare],
    says: [/changes\.variables/, /@\d+ MODE/],
  },
  {
    about: 'changed',
    text: ({ runs }) => `Has what run ${runs.compile} runs ever worked before?`,
    calls: [compare],
    says: [/has succeeded before it/],
  },
  {
    about: 'changed',
    text: () => 'When did acme/tests succeed last?',
    calls: [
      { tool: 'list_runs', arguments: { pipeline: found(/\b(acme\/tests)\b/), limit: 1 } },
      { tool: 'compare_with_success', arguments: { run_id: found(/"run_id":"([0-9a-f-]{36})"/) } },
    ],
    says: [/"with":"[0-9a-f-]{36}"/],
  },
  {
    about: 'schedule',
    text: () => 'acme/nightly did not run last night. Why?',
    calls: [{ tool: 'explain_schedule', arguments: { schedule: found(/(acme\/nightly)/) } }],
    says: [/schedule\.disabled/],
  },
  {
    about: 'schedule',
    text: () => 'When does acme/weekly run next?',
    calls: [{ tool: 'explain_schedule', arguments: { schedule: found(/(acme\/weekly)/) } }],
    says: [/the next one for \d{4}-\d\d-\d\dT03:00:00/],
  },
  {
    about: 'schedule',
    text: () => 'Did acme/weekly run at 2024-01-01T03:00?',
    calls: [
      {
        tool: 'explain_schedule',
        arguments: { schedule: found(/(acme\/weekly)/), at: found(/(2024-01-01T03:00)/) },
      },
    ],
    says: [/schedule\.made_later/],
  },
  {
    about: 'write',
    text: () => 'Run acme/tests in acme/test, please.',
    calls: [
      {
        tool: 'plan_start_run',
        arguments: { pipeline: found(/(acme\/tests)/), scope: found(/(acme\/test)\b/) },
      },
      confirm,
      { tool: 'wait_for_run', arguments: { run_id: found(/"run_id":"([0-9a-f-]{36})"/) } },
    ],
    says: [/"status":"confirmed"/, /"status":"success"/],
  },
  {
    about: 'write',
    text: ({ runs }) => `Please stop run ${runs.holder}.`,
    calls: [{ tool: 'plan_cancel_run', arguments: { run_id: found(/run ([0-9a-f-]{36})/) } }, confirm],
    says: [/dry_run\.asks_to_end/, /"status":"confirmed"/],
  },
  {
    about: 'write',
    text: ({ runs }) => `Try run ${runs.bad} again.`,
    calls: [{ tool: 'plan_rerun', arguments: { run_id: found(/run ([0-9a-f-]{36})/) } }, confirm],
    says: [/"status":"confirmed"/],
  },
  {
    about: 'write',
    text: ({ commits }) => `Make sure that pushes like commit ${commits.docs} of acme/shop build the docs.`,
    calls: [
      explainPush,
      {
        tool: 'plan_trigger',
        arguments: {
          change: { word: 'update' },
          trigger_id: found(
            /The trigger acme\/docs is disabled\.","evidence":\[\{"kind":"trigger","id":"([0-9a-f-]{36})"/,
          ),
          fields: { fields: { enabled: true } },
        },
      },
      confirm,
    ],
    says: [/"status":"confirmed"/],
  },
]
