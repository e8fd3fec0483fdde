import type { RunDryRun } from '@signalbox/contracts/runs'
import type { TriedRun } from '../actions/try-run.ts'
import { describeEffects, partOf } from '../rules/dry-run.ts'

export function presentDryRun(dry: TriedRun): RunDryRun {
  const { action, run, graph, reuse } = dry
  const { withheld } = run
  return {
    action,
    pipeline_id: run.pipeline_id,
    pipeline: run.pipeline_identifier,
    pipeline_version: run.pipeline_version,
    scope: run.scope,
    protected: dry.isProtected,
    status: run.status,
    withheld: withheld === 'group' || withheld === 'fork_approval' ? withheld : null,
    priority: run.priority,
    repository: run.repository,
    ref: run.ref,
    commit_sha: run.commit_sha,
    concurrency_group: run.concurrency_group,
    variables: { ...run.variables },
    secret_variables: Object.keys(run.sealed_variables),
    note: run.note,
    reason: dry.violation ?? run.reason,
    steps: (graph?.steps ?? []).map((step) => ({
      name: step.name,
      scope: step.scope,
      tasks: step.tasks.length,
      taken_over: step.tasks.filter((task) => reuse.has(`${step.name}/${task.name}`)).length,
      waits_for_approval: step.tasks.some((task) => partOf(task) === 'asks_people'),
    })),
    others: dry.others.map(({ id, status, becomes }) => ({ run_id: id, status, becomes })),
    effects: [...describeEffects(dry)],
  }
}
