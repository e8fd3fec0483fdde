import type { Evidence, Finding } from '@signalbox/contracts/http'
import {
  type Deed,
  definePlanner,
  fieldOf,
  finding,
  listIn,
  type Planner,
  precondition,
  type Rehearsed,
  startsIn,
  textIn,
} from '#platform/planning'

/** What starting, repeating and canceling a run would do: the routes say it themselves, by dry_run. */
export const runPlanners: readonly Planner[] = [
  definePlanner({
    operation: 'startRun',
    ask: (call) => ({ operation: 'startRun', parts: dry(call) }),
    describe: (rehearsed) => ({
      target: `pipeline ${textIn(deedOf(rehearsed, 'run.started')?.after, 'pipeline') ?? ''}`,
      ...foreseen(rehearsed),
    }),
    preconditions: (rehearsed) => {
      const after = deedOf(rehearsed, 'run.started')?.after
      return [...ofPipeline(after), precondition('commit_sha', textIn(after, 'commit_sha'))]
    },
  }),
  definePlanner({
    operation: 'rerunRun',
    ask: (call) => ({ operation: 'rerunRun', parts: dry(call) }),
    describe: (rehearsed) => ({ target: `run ${rehearsed.call.params['id'] ?? ''}`, ...foreseen(rehearsed) }),
    preconditions: (rehearsed) => ofPipeline(deedOf(rehearsed, 'run.rerun')?.after),
  }),
  definePlanner({
    operation: 'cancelRun',
    ask: (call) => ({ operation: 'cancelRun', parts: dry(call) }),
    describe: (rehearsed) => ({ target: `run ${rehearsed.call.params['id'] ?? ''}`, ...foreseen(rehearsed) }),
    preconditions: (rehearsed) => [precondition('status', textIn(deedOf(rehearsed, 'run.canceled')?.before, 'status'))],
  }),
]

function dry({ params, query, body }: Rehearsed['call']) {
  return { params, query: { ...query, dry_run: 'true' }, body }
}

function deedOf({ deeds }: Rehearsed, action: string): Deed | undefined {
  return deeds.find((deed) => deed.action === action)
}

function ofPipeline(after: unknown) {
  return [precondition('pipeline_version', textIn(after, 'version')), precondition('scope', textIn(after, 'scope'))]
}

/** The scopes of the run and of its steps; the sentences come from the dry run. */
function foreseen({ asked, deeds }: Rehearsed) {
  const steps = listIn(asked, 'steps').flatMap((step) => textIn(step, 'scope') ?? [])
  const own = textIn(asked, 'scope') ?? textIn(deeds[0]?.after, 'scope')
  return {
    effects: listIn(asked, 'effects').map(readFinding),
    scopes: [...new Set([...(own === undefined ? [] : [own]), ...steps])],
    starts: startsIn(asked),
  }
}

function readFinding(value: unknown): Finding {
  return finding(
    textIn(value, 'code') ?? '',
    textIn(value, 'sentence') ?? '',
    listIn(value, 'evidence').filter(isEvidence),
  )
}

/** Checked by the shape of the answer that it comes from. */
function isEvidence(value: unknown): value is Evidence {
  return typeof fieldOf(value, 'kind') === 'string' && typeof fieldOf(value, 'id') === 'string'
}
